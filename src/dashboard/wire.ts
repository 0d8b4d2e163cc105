import type { Ref } from '../api/index.ts';
import type {
  Explanation,
  FleetReport,
  MemberReport,
  Plan,
  PolicyName,
  StateTotals,
  TemplateReport,
  TemplateState,
} from '../engine/index.ts';

/** Whether the server sees the hub. */
export interface HubState {
  readonly up: boolean;
  /** Why it does not, in one sentence. */
  readonly message?: string;
}

/** The caller, the hub, and what is hidden from the caller. */
export interface Me {
  readonly user: string;
  readonly hub: string;
  readonly version: string;
  readonly hidden: readonly string[];
  /** Changes with every state of the hub that the server has seen. */
  readonly revision: number;
  readonly state: HubState;
  /** The example app that an empty hub may be filled with; absent where its members do not exist. */
  readonly example?: string;
}

/** A member with the facts of its Cluster. */
export interface MemberRow extends MemberReport {
  readonly version: string;
  readonly mode: string;
  readonly region: string;
  readonly zone: string;
  readonly provider: string;
  readonly nodes: { readonly ready: number; readonly total: number };
  readonly cpu: Usage;
  readonly memory: Usage;
  readonly pods: Usage;
  readonly labels: Readonly<Record<string, string>>;
}

/** How much of a resource is requested, and how much there is, in cores, bytes or pods. */
export interface Usage {
  readonly used: number;
  readonly total: number;
}

/** A cell of the matrix of namespaces and members. */
export interface Cell {
  readonly templates: number;
  /** The worst state among them. */
  readonly worst: TemplateState;
}

/** A row of the matrix: one namespace. */
export interface NamespaceRow {
  readonly namespace: string;
  readonly totals: StateTotals;
  readonly cells: Readonly<Record<string, Cell>>;
}

/** The screen of the fleet. */
export interface FleetView {
  readonly totals: StateTotals;
  readonly members: readonly MemberRow[];
  readonly namespaces: readonly NamespaceRow[];
  /** The worst templates, the first few of them. */
  readonly trouble: readonly TemplateRow[];
  readonly troubleTotal: number;
  readonly removals: FleetReport['removals'];
  readonly removalsSuspended: boolean;
  readonly policies: number;
}

/** A template in a list. */
export interface TemplateRow {
  readonly template: Ref;
  readonly policy: PolicyName | null;
  readonly state: TemplateState;
  /** Member, state there, ready, wanted. */
  readonly clusters: readonly {
    readonly name: string;
    readonly state: TemplateState;
    readonly ready?: number;
    readonly replicas?: number;
  }[];
  /** Why it is in this state, in words. */
  readonly why: string;
}

/** A part of a list. */
export interface Page<T> {
  readonly rows: readonly T[];
  readonly offset: number;
  readonly total: number;
}

/** One sort of templates in `TemplateQuery`; all conditions count together. */
export interface TemplateQuery {
  readonly namespace?: string;
  readonly member?: string;
  readonly state?: string;
  readonly policy?: string;
  readonly text?: string;
}

/** A Work of a template, and the object that it made in the member. */
export interface WorkView {
  readonly member: string;
  readonly work: string;
  readonly applied: boolean;
  readonly message: string;
  /** The manifest that was sent, and the object that is there, as YAML; the second only where the member can be read. */
  readonly manifest: string;
  readonly live?: string;
  readonly unreadable?: string;
}

/** An entry of the timeline. */
export interface TimelineEntry {
  readonly time: string;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly object: Ref;
  readonly count: number;
  readonly by: string;
}

/** The screen of one template. */
export interface TemplateView {
  readonly report: TemplateReport;
  readonly explanation: Explanation;
  /** As YAML; values of Secrets are hidden. */
  readonly yaml: string;
  readonly works: readonly WorkView[];
  readonly events: readonly TimelineEntry[];
  /** The meaning of the reasons on this screen. */
  readonly reasons: Readonly<Record<string, string>>;
}

/** A policy in a list. */
export interface PolicyRow {
  readonly policy: PolicyName;
  readonly priority: number;
  readonly lazy: boolean;
  readonly suspended: boolean;
  readonly preempts: boolean;
  /** The placement in a few words. */
  readonly placement: string;
  readonly selects: string;
  readonly totals: StateTotals;
}

/** A policy that has to do with another one. */
export interface Rival {
  readonly policy: PolicyName;
  readonly priority: number;
  /** Templates that both select and this one manages, or the other. */
  readonly templates: number;
  /** `shadows`: it manages what this policy also selects. `shadowed`: this policy manages what it also selects. */
  readonly relation: 'shadows' | 'shadowed';
}

/** The screen of a policy. */
export interface PolicyView {
  readonly row: PolicyRow;
  readonly yaml: string;
  readonly rivals: readonly Rival[];
  readonly coverage: readonly { readonly namespace: string; readonly manages: number; readonly templates: number }[];
  readonly events: readonly TimelineEntry[];
}

/** A group of effects that are alike. */
export interface EffectGroup {
  readonly effect: string;
  readonly when: string;
  readonly whenText: string;
  readonly namespace: string;
  readonly policy: string;
  readonly clusters: string;
  readonly because: string;
  readonly count: number;
  /** The first templates, as `Kind/name`. */
  readonly templates: readonly string[];
}

/** The change to plan: manifests as YAML, and objects to delete. */
export interface PlanRequest {
  readonly yaml: string;
  readonly deletes: readonly string[];
  readonly namespace?: string;
  /** A snapshot of `sluice snapshot` that was given before; absent: the live hub. */
  readonly snapshot?: string;
}

/** The answer to a plan. */
export interface PlanView {
  /** Names this plan until the next one of the same session; `apply` needs it. */
  readonly id: string;
  readonly totals: Plan['totals'];
  readonly summary: string;
  readonly groups: readonly EffectGroup[];
  readonly effects: number;
  readonly warnings: Plan['warnings'];
  readonly errors: Plan['errors'];
  readonly notes: readonly string[];
  /** Kinds that are hidden from the caller and without which effects may be missing. */
  readonly unseen: readonly string[];
  /** True when it takes something away from a member, or disturbs what runs there. */
  readonly dangerous: boolean;
  readonly reasons: Readonly<Record<string, string>>;
  readonly milliseconds: number;
}

/** One object in one member before and after a plan. */
export interface DifferenceView {
  readonly cluster: string;
  readonly effect: string;
  readonly before: string;
  readonly after: string;
}

/** A template that waits. */
export interface WaitingRow {
  readonly template: Ref;
  readonly policy: PolicyName | null;
  readonly because: string;
  /** The reason in words. */
  readonly why: string;
  readonly since: string | null;
  /** True when a request activates it. */
  readonly activatable: boolean;
}

/** A suspension in effect, and what it covers. */
export interface SuspensionRow {
  /** The policy, or the single template. */
  readonly target: Ref;
  readonly by: string;
  readonly clusters: readonly string[] | 'all';
  readonly reason: string;
  readonly owner: string;
  readonly until: string;
  readonly templates: number;
}

/** A run that activates pending changes. */
export interface ActivationRun {
  readonly id: string;
  readonly state: 'running' | 'stopping' | 'done' | 'stopped' | 'failed';
  readonly batches: readonly { readonly templates: number; readonly state: string; readonly suspended: number }[];
  readonly total: number;
  readonly done: number;
  readonly doing: string;
  readonly message: string;
}

/** The screen of what waits. */
export interface WaitingView {
  readonly pending: readonly WaitingRow[];
  readonly pendingTotal: number;
  readonly suspensions: readonly SuspensionRow[];
  readonly run: ActivationRun | null;
}

/** A figure over time. */
export interface Series {
  readonly name: string;
  readonly label: string;
  readonly unit: string;
  readonly values: readonly (number | null)[];
}

/** The figures of the hub; times are seconds since 1970. */
export interface Figures {
  readonly times: readonly number[];
  readonly series: readonly Series[];
}

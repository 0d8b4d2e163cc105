/** Builders of the stories that tools/record-patches.ts tells a real API server and kube.test.ts replays. */
/** One request to an API server. */
export interface Step {
  readonly do: 'create' | 'update' | 'apply' | 'strategic' | 'merge' | 'json';
  readonly manager: string;
  readonly body: unknown;
  readonly force?: boolean;
  readonly subresource?: string;
}

/** A story of one object. */
export interface Case {
  readonly name: string;
  /** `/apis/apps/v1/namespaces/default/deployments` */
  readonly resource: string;
  readonly object: string;
  /** Fields that the server adds to the object after ownership was decided. */
  readonly admitted?: readonly string[];
  /** The server fills in again what the story takes away: only ownership and refusals are compared. */
  readonly contentVaries?: boolean;
  readonly steps: readonly Step[];
}

/** How each kind of request names its body. */
export const contentTypes = {
  create: 'application/json',
  update: 'application/json',
  apply: 'application/apply-patch+yaml',
  strategic: 'application/strategic-merge-patch+json',
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
} as const;

/** The body of a request, or a part of one. */
export type Body = Readonly<Record<string, unknown>>;

export const deployments = '/apis/apps/v1/namespaces/default/deployments';
export const core = '/api/v1/namespaces/default';

/** The Deployment of most stories. */
export function deployment(spec: Body, metadata: Body = {}): Body {
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web', ...metadata }, spec };
}

/** The ConfigMap of the others. */
export function configMap(data: Body | undefined, metadata: Body = {}): Body {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'cfg', ...metadata }, ...(data && { data }) };
}

/** A pod template with these containers. */
export function pod(containers: readonly Body[], more: Body = {}): Body {
  return { metadata: { labels: { app: 'web' } }, spec: { containers, ...more } };
}

export const selector = { matchLabels: { app: 'web' } };
export const nginx = { name: 'nginx', image: 'nginx:1' };
export const sidecar = { name: 'sidecar', image: 'busybox:1' };

/** A whole Deployment with these containers. */
export function web(containers: readonly Body[] = [nginx], more: Body = {}): Body {
  return deployment({ replicas: 1, selector, template: pod(containers), ...more });
}

/** POST */
export function create(body: unknown, manager = 'creator'): Step {
  return { do: 'create', manager, body };
}

/** PATCH as server-side apply. */
export function apply(manager: string, body: unknown, more: Partial<Step> = {}): Step {
  return { do: 'apply', manager, body, ...more };
}

/** PATCH as strategic merge patch. */
export function strategic(body: unknown, more: Partial<Step> = {}): Step {
  return { do: 'strategic', manager: 'patcher', body, ...more };
}

/** PATCH as merge patch. */
export function merge(body: unknown, more: Partial<Step> = {}): Step {
  return { do: 'merge', manager: 'merger', body, ...more };
}

/** PATCH as JSON patch. */
export function json(...body: readonly Body[]): Step {
  return { do: 'json', manager: 'patcher', body };
}

/** A story of the Deployment. */
export function story(name: string, ...steps: readonly Step[]): Case {
  return { name, resource: deployments, object: 'web', steps };
}

/** A story of the ConfigMap. */
export function onConfigMap(name: string, ...steps: readonly Step[]): Case {
  return { name, resource: `${core}/configmaps`, object: 'cfg', steps };
}

/** The patch of a pod template. */
export function template(containers: readonly Body[], more: Body = {}): Body {
  return { spec: { template: { spec: { containers, ...more } } } };
}

/** Elements with nothing but a name. */
export function order(...names: readonly string[]): readonly Body[] {
  return names.map((name) => ({ name }));
}

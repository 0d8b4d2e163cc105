/**
 * Writes docs/schemas from here: `node tools/schemas.ts && npm run format`. Each file is the JSON Schema of what a
 * command prints with `-o json`; tests keep files and tool equal, and compare what commands really print with them.
 * Start with `schemas`.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { reasons, templateStates } from '../src/engine/index.ts';

/** A JSON Schema (2020-12), as far as it is used here. */
export interface Schema {
  readonly $schema?: string;
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly const?: string;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

const text: Schema = { type: 'string' };
const flag: Schema = { type: 'boolean' };
const count: Schema = { type: 'integer' };
const number: Schema = { type: 'number' };
const time: Schema = { type: 'string', description: 'RFC 3339' };
const object: Schema = { type: 'object', description: 'a Kubernetes object as it is' };
const because: Schema = { $ref: '#/$defs/Reason' };
/** Definitions that several places of a document share. */
const $defs = { Reason: { enum: Object.keys(reasons), description: 'see docs/reasons.md' } };
const list = (items: Schema): Schema => ({ type: 'array', items });
const orNull = (schema: Schema): Schema => ({ anyOf: [schema, { type: 'null' }] });
const oneOf = (...words: readonly string[]): Schema => ({ enum: words });

/** Fields that are always there, and after them those that may be. Nothing else is. */
function fields(always: Readonly<Record<string, Schema>>, sometimes: Readonly<Record<string, Schema>> = {}): Schema {
  return {
    type: 'object',
    properties: { ...always, ...sometimes },
    required: Object.keys(always),
    additionalProperties: false,
  };
}

/** Numbers by name. */
function counts(...names: readonly string[]): Schema {
  return fields(Object.fromEntries(names.map((name) => [name, count])));
}

function titled(title: string, description: string, content: Schema): Schema {
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', title, description, $defs, ...content };
}

/** A document that names itself by apiVersion and kind. */
function named(kind: string, content: Schema): Schema {
  const { properties = {}, required = [], ...rest } = content;
  return {
    ...rest,
    properties: { apiVersion: { const: 'sluice.dev/v1' }, kind: { const: kind }, ...properties },
    required: ['apiVersion', 'kind', ...required],
  };
}

const template = fields({ apiVersion: text, kind: text, name: text }, { namespace: text });
const policy = fields({ kind: text, name: text }, { namespace: text });
const member = fields(
  {
    name: text,
    ready: flag,
    cordoned: flag,
    taints: list(text),
    templates: count,
    suspended: count,
    unhealthy: count,
    failing: count,
  },
  { message: text, since: time },
);
const suspension = fields({ by: text }, { reason: text, owner: text, until: time });
const pending = orNull(fields({ because, since: orNull(time) }));
const memberStates = ['failing', 'unhealthy', 'unknown', 'suspended', 'progressing', 'inEffect'];

const templateReport = fields(
  {
    template,
    policy: orNull(policy),
    state: oneOf(...templateStates),
    clusters: list(
      fields(
        { name: text, state: oneOf(...memberStates) },
        {
          ready: count,
          replicas: count,
          health: oneOf('Healthy', 'Unhealthy', 'Unknown'),
          message: text,
          since: time,
          suspendedBy: list(suspension),
        },
      ),
    ),
    pending,
  },
  {
    moving: fields({
      waitsFor: list(fields({ name: text }, { ready: count, replicas: count })),
      kept: list(text),
    }),
    message: text,
  },
);

const fleet = named(
  'FleetStatus',
  fields(
    {
      totals: counts('templates', ...templateStates),
      members: list(member),
      templates: list(templateReport),
      removals: list(fields({ template, cluster: text, message: text })),
    },
    { removalsSuspended: fields({ since: text, reason: text }) },
  ),
);

const effects = ['create', 'update', 'restart', 'scale', 'delete'];

const effect = fields(
  {
    template,
    cluster: text,
    effect: oneOf(...effects),
    when: oneOf('now', 'pending', 'suspended', 'unreachable'),
    because,
  },
  {
    after: {
      ...oneOf('healthy'),
      description: 'only of the deletion in a move: the copy stays until its replacement is healthy',
    },
    waits: {
      ...oneOf('lazy', 'static'),
      description: 'only of what is pending: its policy is lazy, or the policies of the hub are static',
    },
    waitsFor: { ...list(text), description: 'only of what is unreachable: the members that have to answer first' },
    policy,
  },
);

const plan = named(
  'Plan',
  fields({
    effects: list(effect),
    warnings: {
      ...list(fields({ object: text, because, message: text })),
      description: 'what a person should look at before the change is made',
    },
    errors: list(fields({ object: text, path: text, message: text })),
    totals: counts('templates', 'clusters', ...effects, 'moved', 'pending', 'suspended', 'unreachable'),
    notes: {
      ...list(text),
      description:
        'what the plan does not know, in sentences: what the rights of the caller hide, what could not be tried',
    },
  }),
);

const explanation = named(
  'Explanation',
  fields(
    {
      template,
      holder: orNull(policy),
      candidates: list(
        fields({ policy, outcome: oneOf('holds', 'lost', 'excluded', 'noMatch'), because }, { detail: text }),
      ),
      clusters: list(fields({ name: text, chosen: flag, because }, { detail: text })),
      pending,
      suspended: list(fields({ cluster: text, by: text }, { reason: text, owner: text, until: time })),
    },
    {
      hidden: { ...list(text), description: 'kinds that the caller may not list, so that more may be true' },
      overrides: list(
        fields(
          {
            policy,
            outcome: oneOf('applied', 'failed', 'pending', 'noCluster', 'noMatch'),
            because,
            clusters: list(text),
          },
          { detail: text },
        ),
      ),
    },
  ),
);

const batch = fields({
  templates: list(template),
  state: oneOf('inEffect', 'asked', 'failed', 'waiting'),
  suspended: count,
});

const event = fields({ type: text, reason: text, message: text, count, lastSeen: time, from: text });

const description = named(
  'Description',
  fields(
    { object, events: list(event) },
    { template: templateReport, binding: object, works: list(object), manages: fleet, member },
  ),
);

const settings = fields({
  allowNoExecuteTaintPolicies: flag,
  taintPurgeMode: oneOf('Gracefully', 'Directly'),
  gracefulEvictionSeconds: number,
  evictionsPerSecond: number,
  outagePercent: number,
  outageSeconds: number,
  hpaScaleTargetMarker: flag,
  deploymentReplicasSyncer: flag,
  awakeSeconds: number,
});

const snapshot = named(
  'Snapshot',
  fields(
    {
      writtenBy: text,
      taken: time,
      namespace: text,
      gates: { type: 'object', additionalProperties: flag },
      kinds: list(object),
      objects: list(object),
      members: list(fields({ member: text, object })),
      hidden: list(text),
      settled: flag,
    },
    { settings },
  ),
);

const resource = fields(
  { group: text, version: text, kind: text, plural: text, namespaced: flag, verbs: list(text) },
  { singular: text, shortNames: list(text) },
);

const faults = named(
  'Faults',
  fields({
    member: text,
    down: flag,
    partition: flag,
    latencyMilliseconds: count,
    errorPercent: number,
    throttlePercent: number,
    refuse: list(fields({ kind: text, code: count })),
    clockSkewSeconds: number,
  }),
);

/** Every schema, by the name of its file. */
export const schemas: Readonly<Record<string, Schema>> = {
  'api-resources': titled(
    'KindList',
    'What `sluice api-resources -o json` prints.',
    named('KindList', fields({ items: list(resource) })),
  ),
  description: titled('Description', 'What `sluice describe -o json` prints.', description),
  explanation: titled('Explanation', 'What `sluice explain -o json` prints.', explanation),
  'fleet-status': titled('FleetStatus', 'What `sluice status [policy/NAME] -o json` prints.', fleet),
  faults: titled('Faults', 'What `sluice sim -o json` prints.', faults),
  plan: titled('Plan', 'What `sluice plan -o json` prints. A move is a delete here and a create there.', plan),
  reconciliation: titled(
    'Reconciliation',
    'What `sluice reconcile -o json` prints: what was foreseen, and what became of each batch.',
    named('Reconciliation', fields({ plan, batches: list(batch) }, { failure: text })),
  ),
  snapshot: titled(
    'Snapshot',
    'What `sluice snapshot` prints. Fingerprints stand for values of Secrets; members have what the Works say, and `members` lists where they have not. A Work that brings what another one brings, but for labels and annotations, has `like`, the place of that one among the objects, in place of its manifest.',
    snapshot,
  ),
  version: titled(
    'Version',
    'What `sluice version -o json` prints.',
    named('Version', fields({ version: text, node: text }, { commit: text })),
  ),
  'template-status': titled(
    'TemplateStatus',
    'What `sluice status KIND/NAME -o json` prints.',
    named('TemplateStatus', templateReport),
  ),
};

if (import.meta.main) {
  for (const [name, schema] of Object.entries(schemas)) {
    const file = join(import.meta.dirname, `../docs/schemas/${name}.json`);
    writeFileSync(file, `${JSON.stringify(schema, undefined, 2)}\n`);
  }
}

import type { IncomingMessage } from 'node:http';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isSystemKey, keyOf } from '../../api/index.ts';
import type { KubeObject, Ref } from '../../api/index.ts';
import { isObject, yamlOf } from '../../base/index.ts';
import { hiddenNotes, packageVersion } from '../../cli/index.ts';
import type { Me, PlanRequest, TemplateQuery } from '../wire.ts';
import { activate, stopRun } from './answers/activate.ts';
import type { ActivateRequest } from './answers/activate.ts';
import { figures } from './answers/figures.ts';
import { fleetView, templatesPage } from './answers/fleet.ts';
import { applyPlan, differenceView, planMarkdown, planView } from './answers/plan.ts';
import { policyRows, policyView } from './answers/policies.ts';
import { schemaOf } from './answers/schema.ts';
import { eventsOf, templateView } from './answers/template.ts';
import { resumeTarget, suspendTarget, waitingView } from './answers/waiting.ts';
import type { SuspendRequest } from './answers/waiting.ts';
import { bodyOf, Refusal } from './guard.ts';
import { isSecret } from './secrets.ts';
import type { Sight } from './sight.ts';

/** A request of somebody who is logged in. */
export interface Ask {
  readonly sight: Sight;
  readonly query: URLSearchParams;
  readonly request: IncomingMessage;
}

type Answer = (ask: Ask) => unknown;

/** Every request of the page, by method and path below `/api/`. */
export const routes: Readonly<Record<string, Answer>> = {
  'GET me': ({ sight }) => me(sight),
  'GET fleet': async ({ sight }) => fleetView(await sight.picture()),
  'GET templates': async ({ sight, query }) => templatesPage(await sight.picture(), templateQuery(query), range(query)),
  'GET template': ({ sight, query }) => templateView(sight, refIn(query)),
  'GET policies': async ({ sight }) => policyRows(await sight.picture()),
  'GET policy': ({ sight, query }) => policyView(sight, refIn(query)),
  'GET object': ({ sight, query }) => objectYaml(sight, refIn(query)),
  'GET schema': ({ sight, query }) => schemaOf(sight, query.get('apiVersion') ?? '', query.get('kind') ?? ''),
  'GET kinds': ({ sight }) => kindsOf(sight),
  'GET search': async ({ sight, query }) => found(sight, query.get('text') ?? ''),
  'GET waiting': ({ sight }) => waitingView(sight),
  'GET timeline': async ({ sight, query }) => timeline(sight, query),
  'GET figures': ({ sight }) => figures(sight),
  'GET example': () => exampleFiles(),
  'POST plan': async ({ sight, request }) => planView(sight, await planRequest(request)),
  'POST difference': async ({ sight, request }) => {
    const body = await objectOf(request);
    return differenceView(sight, textIn(body, 'plan'), {
      namespace: textIn(body, 'namespace'),
      name: textIn(body, 'name'),
    });
  },
  'POST markdown': async ({ sight, request }) => planMarkdown(sight, textIn(await objectOf(request), 'plan')),
  'POST apply': async ({ sight, request }) => applyPlan(sight, textIn(await objectOf(request), 'plan')),
  'POST activate': async ({ sight, request }) =>
    activate(sight, (await objectOf(request)) as unknown as ActivateRequest),
  'POST stop': ({ sight }) => stopRun(sight),
  'POST suspend': async ({ sight, request }) => suspendTarget(sight, await suspendRequest(request)),
  'POST resume': async ({ sight, request }) => resumeTarget(sight, await suspendRequest(request)),
};

async function me(sight: Sight): Promise<Me> {
  const { snapshot } = await sight.picture();
  const members = new Set(
    snapshot.objects.filter(({ kind }) => kind === 'Cluster').map(({ metadata }) => metadata.name),
  );
  const isUsual = ['member1', 'member2', 'member3'].every((name) => members.has(name));
  return {
    user: sight.user,
    hub: sight.hub.connection.server,
    version: packageVersion(),
    hidden: hiddenNotes(snapshot),
    revision: sight.revision,
    state: sight.state,
    ...(isUsual && existsSync(examples) && { example: 'examples' }),
  };
}

const examples = path.join(import.meta.dirname, '../../../examples');

/** The app of the quick start, for a hub that is still empty. */
function exampleFiles(): { readonly yaml: string } {
  const files = ['web.yaml', 'policy.yaml'].map((name) => readFileSync(path.join(examples, name), 'utf8').trim());
  return { yaml: `${files.join('\n---\n')}\n` };
}

function refIn(query: URLSearchParams): Ref {
  const [apiVersion, kind, name] = ['apiVersion', 'kind', 'name'].map((part) => query.get(part) ?? '');
  const namespace = query.get('namespace');
  if (!apiVersion || !kind || !name) throw new Refusal(400, 'apiVersion, kind and name are needed');
  return { apiVersion, kind, ...(namespace && { namespace }), name };
}

function templateQuery(query: URLSearchParams): TemplateQuery {
  const named = ['namespace', 'member', 'state', 'policy', 'text'].flatMap((name) => {
    const value = query.get(name);
    return value === null ? [] : [[name, value]];
  });
  return Object.fromEntries(named) as TemplateQuery;
}

const longestPage = 500;

function range(query: URLSearchParams): { readonly offset: number; readonly limit: number } {
  const number = (name: string, usual: number): number =>
    Math.max(0, Math.trunc(Number(query.get(name) ?? usual)) || 0);
  return { offset: number('offset', 0), limit: Math.min(longestPage, number('limit', 100)) };
}

async function objectYaml(sight: Sight, ref: Ref): Promise<{ readonly yaml: string }> {
  if (isSecret(ref)) throw new Refusal(403, 'Secrets are not opened here: their values never leave the server');
  const object = await sight.hub.client.find(ref);
  if (!object) throw new Refusal(404, `there is no ${ref.kind} ${ref.name}`);
  return { yaml: yamlOf(editable(object)) };
}

/** Without what servers and controllers count and note: that is nobody's to edit, and applying keeps it. */
function editable({ metadata, ...content }: KubeObject): KubeObject {
  const {
    apiVersion,
    kind,
    status: _,
    ...rest
  } = content as Pick<KubeObject, 'apiVersion' | 'kind'> & { readonly status?: unknown };
  const { name, namespace, labels, annotations } = metadata;
  const kept = { name, ...(namespace && { namespace }), ...own('labels', labels), ...own('annotations', annotations) };
  return { apiVersion, kind, metadata: kept, ...rest };
}

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

function own(field: string, texts: Readonly<Record<string, string>> = {}): object {
  const kept = Object.entries(texts).filter(([key]) => key !== lastApplied && !isSystemKey(key));
  return kept.length > 0 ? { [field]: Object.fromEntries(kept) } : {};
}

/** The kinds that the hub serves, for completion. */
function kindsOf({ hub }: Sight): readonly { readonly apiVersion: string; readonly kind: string }[] {
  return hub.served.kinds.map(({ group, version, kind }) => ({
    apiVersion: group === '' ? version : `${group}/${version}`,
    kind,
  }));
}

const mostFound = 30;

/** Templates, policies and members whose names contain the text. */
async function found(sight: Sight, text: string): Promise<readonly Ref[]> {
  const { snapshot, report } = await sight.picture();
  const wanted = text.toLowerCase();
  const others = snapshot.objects.filter(({ kind }) => kind === 'Cluster' || kind.endsWith('PropagationPolicy'));
  const refs: Ref[] = [
    ...others.map(({ apiVersion, kind, metadata: { namespace, name } }) => ({
      apiVersion,
      kind,
      ...(namespace && { namespace }),
      name,
    })),
    ...report.templates.map(({ template }) => template),
  ];
  return refs.filter((ref) => keyOf(ref).toLowerCase().includes(wanted)).slice(0, mostFound);
}

async function timeline(sight: Sight, query: URLSearchParams): Promise<unknown> {
  await sight.picture();
  const text = (query.get('text') ?? '').toLowerCase();
  return eventsOf(sight, (about) =>
    `${about.kind}/${about.namespace ?? ''}/${about.name}`.toLowerCase().includes(text),
  );
}

async function objectOf(request: IncomingMessage): Promise<Readonly<Record<string, unknown>>> {
  const body = await bodyOf(request);
  if (!isObject(body)) throw new Refusal(400, 'the body is no object');
  return body;
}

function textIn(body: Readonly<Record<string, unknown>>, name: string): string {
  const text = body[name];
  if (typeof text !== 'string') throw new Refusal(400, `${name} must be a text`);
  return text;
}

async function planRequest(request: IncomingMessage): Promise<PlanRequest> {
  const body = await objectOf(request);
  const { deletes = [], namespace, snapshot } = body;
  if (!Array.isArray(deletes) || !deletes.every((word) => typeof word === 'string'))
    throw new Refusal(400, 'deletes must be texts');
  return {
    yaml: textIn(body, 'yaml'),
    deletes,
    ...(typeof namespace === 'string' && namespace !== '' && { namespace }),
    ...(typeof snapshot === 'string' && { snapshot }),
  };
}

async function suspendRequest(request: IncomingMessage): Promise<SuspendRequest> {
  const body = await objectOf(request);
  if (!isObject(body['target'])) throw new Refusal(400, 'the target is missing');
  return body as unknown as SuspendRequest;
}

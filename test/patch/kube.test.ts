/** Replays what a real kube-apiserver answered; the version is in the recording, and tools/record-patches.ts says how it was made. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ApiError, builtinCatalog } from '../../src/api/index.ts';
import type { KindInfo, KubeObject, Status } from '../../src/api/index.ts';
import { freeze, isObject } from '../../src/base/index.ts';
import {
  applyPatch,
  conflictError,
  jsonPatch,
  mergePatch,
  strategicMergePatch,
  trackUpdate,
} from '../../src/patch/index.ts';
import { cases } from './cases.ts';
import { widgetSchema } from './custom-cases.ts';
import type { Case, Step } from './story.ts';

interface Answer {
  readonly code: number;
  readonly object?: KubeObject;
  readonly status?: Partial<Status>;
}

const recording = freeze(
  JSON.parse(readFileSync(new URL('../golden/patch/kube-1.34.json', import.meta.url), 'utf8')),
) as {
  readonly version: string;
  readonly cases: readonly { readonly name: string; readonly answers: readonly Answer[] }[];
};

const catalog = builtinCatalog();
const { definitions } = catalog;
const widgetKind = {
  group: 'example.com',
  version: 'v1',
  kind: 'Widget',
  custom: true,
  status: true,
  schema: widgetSchema,
} as unknown as KindInfo;

function kindOf({ apiVersion, kind }: KubeObject): KindInfo {
  const found = kind === 'Widget' ? widgetKind : catalog.byKind(apiVersion, kind);
  if (!found) throw new Error(`no kind ${apiVersion} ${kind}`);
  return found;
}

function patched(live: KubeObject, step: Step): KubeObject {
  if (step.do === 'json') return jsonPatch(live, step.body);
  if (step.do === 'merge') return mergePatch(live, step.body);
  return strategicMergePatch(live, step.body, { schema: kindOf(live).schema, definitions });
}

/** Our answer: the object, or the failure as a Status. */
function answer(live: KubeObject | undefined, step: Step, now: string): KubeObject | ApiError {
  try {
    if (step.do !== 'apply') return patched(live as KubeObject, step);
    const result = applyPatch({
      live,
      applied: step.body as KubeObject,
      manager: step.manager,
      force: step.force ?? false,
      now,
      kind: kindOf(live ?? (step.body as KubeObject)),
      definitions,
      ...(step.subresource && { subresource: step.subresource }),
    });
    return 'object' in result ? result.object : conflictError(result.conflicts);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

/** Takes out of the server's object what it filled in by itself: members that neither the live nor the sent object has. */
function withoutFilledIn(theirs: unknown, ours: unknown, known: readonly unknown[]): unknown {
  if (Array.isArray(theirs) && Array.isArray(ours)) {
    return theirs.map((item, i) =>
      withoutFilledIn(
        item,
        ours[i],
        known.map((list) => itemLike(list, item)),
      ),
    );
  }
  if (!isObject(theirs) || !isObject(ours)) return theirs;
  const kept = Object.keys(theirs).filter(
    (key) => Object.hasOwn(ours, key) || known.some((one) => isObject(one) && Object.hasOwn(one, key)),
  );
  const below = (key: string) => known.map((one) => (isObject(one) ? one[key] : undefined));
  return Object.fromEntries(kept.map((key) => [key, withoutFilledIn(theirs[key], ours[key], below(key))]));
}

function itemLike(list: unknown, item: unknown): unknown {
  if (!Array.isArray(list) || !isObject(item)) return undefined;
  return list.find(
    (one) => isObject(one) && one['name'] === item['name'] && one['containerPort'] === item['containerPort'],
  );
}

/** Typed objects know no null, and leave empty maps and lists out. */
function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare);
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([key, member]) => [key, bare(member)] as const);
  return Object.fromEntries(members.filter(([, member]) => member !== null && !isEmpty(member)));
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** The part of an object that a client decides by a request to the resource itself. */
function content(object: KubeObject): unknown {
  const {
    managedFields: _,
    resourceVersion: __,
    generation: ___,
    uid: ____,
    creationTimestamp: _____,
    ...metadata
  } = object.metadata as unknown as Record<string, unknown>;
  const { status: ______, ...rest } = object as KubeObject & { status?: unknown };
  return bare({ ...rest, metadata });
}

function managedFieldsOf(object: KubeObject | undefined): readonly Record<string, unknown>[] {
  return (object?.metadata.managedFields ?? []) as Record<string, unknown>[];
}

/** The server's clock at a step: the newest time that it wrote. */
function timeOf(object: KubeObject | undefined): string {
  return managedFieldsOf(object).reduce(
    (newest, { time }) => (typeof time === 'string' && time > newest ? time : newest),
    '',
  );
}

/** The real server lists causes in no order of managers. */
function inOrder(status: Partial<Status> | undefined): unknown {
  const causes = status?.details?.causes?.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  return { ...status, details: status?.details && { ...status.details, ...(causes && { causes }) } };
}

/** Refused by validation, which comes after the patch. */
function isInvalid({ code, status }: Answer): boolean {
  return code === 422 && status?.details?.name !== undefined;
}

interface Told {
  readonly one: Case;
  readonly step: Step;
  readonly live: KubeObject | undefined;
}

function expectApply({ one, step, live }: Told, theirs: Answer): void {
  const ours = answer(live, step, timeOf(theirs.object));
  if (ours instanceof ApiError) {
    expect(inOrder(ours.status)).toEqual(inOrder(theirs.status));
    return;
  }
  if (isInvalid(theirs)) return;
  const wanted = theirs.object as KubeObject;
  expect(ours.metadata.managedFields).toEqual(wanted.metadata.managedFields);
  // A subresource changes its part of the object alone; the rest is the hub's to put back.
  if (step.subresource || one.contentVaries) return;
  expect(content(ours)).toEqual(withoutFilledIn(content(wanted), content(ours), [live, step.body]));
}

function expectPatch({ one, step, live }: Told, theirs: Answer): void {
  const ours = answer(live, step, '');
  if (ours instanceof ApiError) expect(ours.status).toEqual(theirs.status);
  else if (!isInvalid(theirs) && !one.contentVaries)
    expect(content(ours)).toEqual(
      withoutFilledIn(content(theirs.object as KubeObject), content(ours), [live, step.body]),
    );
}

interface Stored {
  readonly stored: KubeObject;
  /** The stored object, without the additions of admission. */
  readonly after: KubeObject;
}

/** For every request, ownership follows from the objects before and after. */
function expectOwnership(live: KubeObject | undefined, step: Step, { stored, after }: Stored): void {
  const given = (isObject(step.body) && isObject(step.body['metadata']) && step.body['metadata']['managedFields']) as
    | readonly unknown[]
    | undefined;
  const { managedFields: _, ...metadata } = after.metadata;
  const tracked = trackUpdate({
    before: live,
    after: { ...after, metadata: { ...metadata, ...(given && { managedFields: given }) } },
    manager: step.manager,
    now: timeOf(stored),
    kind: kindOf(after),
    definitions,
    ...(step.subresource && { subresource: step.subresource }),
  });
  expect(withTimes(tracked, step)).toEqual(withTimes(stored, step));
}

/** The scale subresource of the real server forgets to write the time. */
function withTimes(object: KubeObject, { subresource }: Step): readonly unknown[] {
  const entries = managedFieldsOf(object);
  return subresource === 'scale' ? entries.map((entry) => ({ ...entry, time: undefined })) : entries;
}

function withoutPaths(object: KubeObject, paths: readonly string[]): KubeObject {
  const patch = paths.map((path) => ({ op: 'remove', path }));
  return jsonPatch(object, patch);
}

function replay(one: Case, answers: readonly Answer[]): void {
  let live: KubeObject | undefined;
  for (const [i, step] of one.steps.entries()) {
    const theirs = answers[i];
    if (!theirs) throw new Error(`${one.name}: step ${i} was not recorded`);
    if (step.do === 'apply') expectApply({ one, step, live }, theirs);
    else if (live && !step.subresource) expectPatch({ one, step, live }, theirs);
    if (step.do !== 'apply' && theirs.object) {
      const after = withoutPaths(theirs.object, one.admitted ?? []);
      expectOwnership(live, step, { stored: theirs.object, after });
    }
    live = theirs.object ?? live;
  }
}

describe(`as kube-apiserver ${recording.version}`, () => {
  test.each(cases.map((one) => [one.name, one] as const))('%s', (name, one) => {
    const recorded = recording.cases.find((other) => other.name === name);
    replay(one, recorded?.answers ?? []);
  });
});

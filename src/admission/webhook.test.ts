import { expect, test } from 'vitest';
import type { KubeObject } from '../api/index.ts';
import { withOperations } from '../base/index.ts';
import { policy } from '../../test/kit/objects.ts';
import { admission } from './admit.ts';
import { reviewed } from './webhook.ts';
import type { Intent } from './webhook.ts';

interface Answer {
  readonly response: {
    readonly uid: string;
    readonly allowed: boolean;
    readonly patch?: string;
    readonly warnings?: readonly string[];
    readonly status?: { readonly code: number; readonly message: string };
  };
}

const judge = admission({ controllers: new Set(), now: () => new Date('2026-01-01T00:00:00Z') });

function reviewOf(object: KubeObject, words: object = {}): object {
  const request = {
    uid: 'u1',
    kind: { group: 'policy.karmada.io', version: 'v1alpha1', kind: object.kind },
    resource: { group: 'policy.karmada.io', version: 'v1alpha1', resource: 'propagationpolicies' },
    name: object.metadata.name,
    namespace: 'default',
    operation: 'CREATE',
    userInfo: { username: 'jane', groups: ['dev'] },
    object,
    oldObject: null,
    ...words,
  };
  return { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request };
}

const yes = async (): Promise<boolean> => true;

test('a mutating review answers with the patch that makes what the embedded hub would store', async () => {
  const pp = policy('pp', { to: 'member1' });
  const { response } = (await reviewed(reviewOf(pp), 'mutate', { judge, ask: yes })) as Answer;
  expect(response).toMatchObject({ uid: 'u1', allowed: true, patchType: 'JSONPatch' });
  const patch = JSON.parse(Buffer.from(response.patch ?? '', 'base64').toString()) as { op: 'add' }[];
  const patched = withOperations(
    JSON.parse(JSON.stringify(pp)) as KubeObject,
    patch.map((step) => ({ value: undefined, hasValue: true, ...step })),
    { isStrict: true },
  );
  expect(patched.metadata.finalizers).toEqual(['karmada.io/propagation-policy-controller']);
  expect(patched).toMatchObject({ spec: { priority: 0, resourceSelectors: [{ namespace: 'default' }] } });
});

test('a validating review refuses with the Status of the embedded hub, and patches nothing', async () => {
  const bad = policy('pp', { to: 'member1', exclude: [{}] });
  const { response } = (await reviewed(reviewOf(bad), 'validate', { judge, ask: yes })) as Answer;
  expect(response).toMatchObject({ allowed: false, status: { code: 422 } });
  expect(response.status?.message).toContain('spec.excludedResources[0]');
  expect(response.patch).toBeUndefined();
});

test('permissions of the author are asked of the hub, each once', async () => {
  const asked: Intent[] = [];
  const ask = async (user: { readonly name: string }, intent: Intent): Promise<boolean> => {
    expect(user).toMatchObject({ name: 'jane', groups: ['dev'] });
    asked.push(intent);
    return intent.verb === 'propagate' && intent.kind === 'Deployment';
  };
  const secrets = { apiVersion: 'v1', kind: 'Secret' };
  const one = policy('pp', { to: 'member1' });
  const two = { ...one, spec: { ...one.spec, resourceSelectors: [...one.spec.resourceSelectors, secrets] } };
  const both = (await reviewed(reviewOf(two), 'validate', { judge, ask })) as Answer;
  expect(both.response).toMatchObject({ allowed: false, status: { code: 403 } });
  expect(asked.map(({ verb, kind }) => `${verb} ${kind}`)).toEqual([
    'get Deployment',
    'propagate Deployment',
    'get Secret',
    'propagate Secret',
  ]);
});

test('a fault of ours refuses: it never lets a write pass', async () => {
  const broken = (): never => {
    throw new TypeError('broken');
  };
  const pp = policy('pp', { to: 'member1' });
  const { response } = (await reviewed(reviewOf(pp), 'mutate', { judge: broken, ask: yes })) as Answer;
  expect(response).toMatchObject({ allowed: false, status: { code: 500 } });
});

test.each([[undefined], ['text'], [{ kind: 'AdmissionReview' }], [{ kind: 'Pod', request: { uid: 'u' } }]])(
  'a body that is no review is not answered: %j',
  async (body) => {
    expect(await reviewed(body, 'mutate', { judge, ask: yes })).toBeUndefined();
  },
);

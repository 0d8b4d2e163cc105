import { expect, test } from 'vitest';
import { policy } from '../../../test/kit/objects.ts';
import type { KubeObject } from '../../api/index.ts';
import { markdownOf } from '../print/markdown.ts';
import { decisiveHidden, hiddenNotes } from './hidden.ts';

test.each<[string, readonly string[], readonly string[]]>([
  ['nothing', [], []],
  ['a kind', ['secrets'], ['hidden from you: secrets']],
  [
    'what matters first',
    ['secrets', 'works', 'zebras', 'clusters'],
    ['hidden from you: clusters, works, secrets, zebras'],
  ],
  [
    'one too many',
    'a b c d e f g'.split(' '),
    ['hidden from you: a, b, c, d, e, f and 1 more kind; `sluice snapshot` names them all'],
  ],
  [
    'sentences',
    ['secrets in namespace shop', 'the gates', 'works'],
    ['hidden from you: works', 'hidden: secrets in namespace shop', 'hidden: the gates'],
  ],
])('%s of what is hidden is told in a few lines', (_, hidden, expected) => {
  expect(hiddenNotes({ hidden })).toEqual(expected);
});

test('a thousand suspended objects that cannot be read take a few lines, too', () => {
  const hidden = Array.from({ length: 1000 }, (_, i) => `what member1 has of Deployment app${i}`);
  const notes = hiddenNotes({ hidden });
  expect(notes).toHaveLength(7);
  expect(notes.at(-1)).toBe('hidden: 994 more of this; `sluice snapshot` names them all');
});

test('a kind that is hidden in one namespace hides no effect in the others', () => {
  expect(decisiveHidden({ hidden: ['works in namespace karmada-es-a', 'secrets'] })).toEqual([]);
  expect(decisiveHidden({ hidden: ['works', 'clusters'] })).toEqual(['clusters', 'works']);
});

test('a comment on a change request says what the plan does not know', () => {
  const totals = { templates: 0, clusters: 0, create: 0, update: 0, restart: 0, scale: 0, delete: 0 };
  const plan = {
    apiVersion: 'sluice.dev/v1',
    kind: 'Plan',
    effects: [],
    warnings: [],
    errors: [],
    totals: { ...totals, moved: 0, pending: 0, suspended: 0, unreachable: 0 },
  } as const;
  expect(markdownOf(plan)).toBe('### Sluice plan: nothing changes in any member\n');
  expect(markdownOf(plan, ['one', 'two'])).toBe(
    '### Sluice plan: nothing changes in any member\n\n> Note: one\n>\n> Note: two\n',
  );
});

test('kinds that no policy selects are not listed, unless the change selects them or a policy is hidden', () => {
  const kinds = ['Ingress', 'Service', 'Secret'].map((kind) => ({
    group: kind === 'Ingress' ? 'networking.k8s.io' : '',
    version: 'v1',
    kind,
    plural: kind === 'Ingress' ? 'ingresses' : `${kind.toLowerCase()}s`,
    namespaced: true,
    verbs: [],
  }));
  const selecting = (kind: string): KubeObject => policy('web', { to: 'a', select: [{ apiVersion: 'v1', kind }] });
  const hidden = ['ingresses', 'secrets', 'services', 'works'];
  const sight = { hidden, kinds, objects: [selecting('Service')] };
  expect(hiddenNotes(sight)).toEqual(['hidden from you: works, secrets, services']);
  expect(hiddenNotes(sight, [selecting('Ingress')])).toEqual(['hidden from you: works, ingresses, secrets, services']);
  const blind = { ...sight, objects: [], hidden: [...hidden, 'propagationpolicies'] };
  expect(hiddenNotes(blind)).toEqual(['hidden from you: propagationpolicies, works, ingresses, secrets, services']);
});

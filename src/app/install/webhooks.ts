import { crds, isOwnGroup } from '../../api/index.ts';
import type { KubeObject } from '../../api/index.ts';
import { configurationName } from '../webhook-certificates.ts';
import { installedLabels, programs } from './words.ts';

/** How the hub reaches the webhook: a Service of the hub, or a URL where the hub has no Pods. */
export type WebhookAddress = { readonly namespace: string } | { readonly url: string; readonly caBundle?: string };

interface WebhookRule {
  readonly name: string;
  readonly rules: readonly object[];
  readonly failurePolicy: 'Fail' | 'Ignore';
  readonly objectSelector?: object;
}

const template = { apiGroups: ['*'], apiVersions: ['*'], resources: ['*'], scope: '*' };
const exists = (key: string): object => ({ matchExpressions: [{ key, operator: 'Exists' }] });

/** Labels by which policies mark the templates that they manage. */
const claimLabels = {
  'claims.sluice.dev': 'propagationpolicy.karmada.io/permanent-id',
  'cluster-claims.sluice.dev': 'clusterpropagationpolicy.karmada.io/permanent-id',
} as const;

/** Rules about our own kinds. */
function ownRules(operations: readonly string[]): readonly object[] {
  const groups = [...new Set(crds().map(({ spec }) => spec.group))].filter(isOwnGroup);
  return [{ operations, apiGroups: groups, apiVersions: ['*'], resources: ['*'], scope: '*' }];
}

/**
 * The rules of both webhooks. Without the webhook, a policy would be stored that no rule has judged, and an object that is protected
 * from deletion would go: these writes fail. A mark on a template is put back by the controllers: such a write goes on.
 */
function rulesOf(manner: 'mutate' | 'validate'): readonly WebhookRule[] {
  const own = { name: 'policies.sluice.dev', failurePolicy: 'Fail' } as const;
  if (manner === 'mutate')
    return [
      { ...own, rules: ownRules(['CREATE', 'UPDATE']) },
      ...Object.entries(claimLabels).map(([name, label]) => ({
        name,
        rules: [{ operations: ['CREATE', 'UPDATE'], ...template }],
        failurePolicy: 'Ignore' as const,
        objectSelector: exists(label),
      })),
    ];
  return [
    { ...own, rules: ownRules(['CREATE', 'UPDATE', 'DELETE']) },
    {
      name: 'deletions.sluice.dev',
      rules: [{ operations: ['DELETE'], ...template }],
      failurePolicy: 'Fail',
      objectSelector: { matchLabels: { 'resourcetemplate.karmada.io/deletion-protected': 'Always' } },
    },
  ];
}

/** The two configurations, without the authority that the webhook role writes into them when it starts. */
export function webhookConfigurations(address: WebhookAddress): readonly KubeObject[] {
  return [
    configuration('MutatingWebhookConfiguration', 'mutate', address),
    configuration('ValidatingWebhookConfiguration', 'validate', address),
  ];
}

function configuration(kind: string, manner: 'mutate' | 'validate', address: WebhookAddress): KubeObject {
  const webhooks = rulesOf(manner).map((rule) => ({
    ...rule,
    clientConfig: clientConfig(address, `/${manner}`),
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    timeoutSeconds: 10,
    matchPolicy: 'Equivalent',
    namespaceSelector: {},
    objectSelector: rule.objectSelector ?? {},
    ...(manner === 'mutate' && { reinvocationPolicy: 'IfNeeded' }),
  }));
  const metadata = { name: configurationName, labels: installedLabels };
  return { apiVersion: 'admissionregistration.k8s.io/v1', kind, metadata, webhooks } as KubeObject;
}

function clientConfig(address: WebhookAddress, path: string): object {
  if ('url' in address) {
    const { url, caBundle } = address;
    return { url: `${url}${path}`, ...(caBundle !== undefined && { caBundle }) };
  }
  return { service: { name: programs.webhook, namespace: address.namespace, path, port: 443 } };
}

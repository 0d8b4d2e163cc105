/**
 * The objects of an installation on an existing hub: definitions, permissions, webhooks and programs, from one source for
 * `sluice install` and for the chart. The functions that make objects are pure; apply.ts writes them.
 * Start with `manifests`.
 */
import { crds } from '../../api/index.ts';
import type { KubeObject } from '../../api/index.ts';
import { namespaces, roles } from './roles.ts';
import { webhookConfigurations } from './webhooks.ts';
import type { InstallWords } from './words.ts';
import { workloads } from './workloads.ts';

export { install, nameText, uninstall, whyNotUninstalled } from './apply.ts';
export type { Installed } from './apply.ts';
export { templateRoleLabel } from './roles.ts';
export { webhookConfigurations } from './webhooks.ts';
export { programs, userOf, usualWords } from './words.ts';
export type { InstallWords } from './words.ts';

/** Everything of an installation, in the order in which it is applied. */
export function manifests(words: InstallWords): readonly KubeObject[] {
  const { namespace, webhookUrl } = words;
  const address = webhookUrl === undefined ? { namespace } : { url: webhookUrl };
  return [
    ...namespaces(words),
    ...crds(),
    ...roles(words),
    ...(words.programs ? workloads(words) : []),
    ...webhookConfigurations(address),
  ];
}

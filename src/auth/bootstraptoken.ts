import { timingSafeEqual } from 'node:crypto';
import { bootstrapSecretName, bootstrapTokenType, bootstrapUserPrefix } from '../api/index.ts';
import type { KubeObject, Objects, ResourceName, User } from '../api/index.ts';
import { isObject } from '../base/index.ts';
import { authenticatedGroup } from './serviceaccount.ts';

const secrets: ResourceName = { group: '', plural: 'secrets' };
const namespace = 'kube-system';
const form = /^([a-z0-9]{6})\.([a-z0-9]{16})$/;
const extraGroup = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;
const bootstrappers = 'system:bootstrappers';

interface Fields {
  readonly [field: string]: string;
}

/** The id and the secret of a bootstrap token; undefined for every other token. */
export function bootstrapTokenOf(token: string): { readonly id: string; readonly secret: string } | undefined {
  const [, id, secret] = form.exec(token) ?? [];
  return id !== undefined && secret !== undefined ? { id, secret } : undefined;
}

/**
 * The user of a bootstrap token, from its Secret in kube-system as kubeadm makes it; undefined when there is none, it has expired or
 * may not be used to authenticate.
 */
export function bootstrapUser(objects: Pick<Objects, 'get'>, token: string, now: number): User | undefined {
  const { id = '', secret = '' } = bootstrapTokenOf(token) ?? {};
  const fields = fieldsOf(objects.get(secrets, namespace, bootstrapSecretName(id))) ?? {};
  if (secret === '' || !isSame(`${fields['token-id']}.${fields['token-secret']}`, token)) return undefined;
  if (fields['usage-bootstrap-authentication'] !== 'true' || isOver(fields['expiration'], now)) return undefined;
  const extra = (fields['auth-extra-groups'] ?? '').split(',').filter((name) => extraGroup.test(name));
  return { name: `${bootstrapUserPrefix}${id}`, groups: [bootstrappers, ...extra, authenticatedGroup] };
}

function fieldsOf(object: KubeObject | undefined): Fields | undefined {
  if (!object || object.metadata.deletionTimestamp) return undefined;
  const { type, data } = object as KubeObject & { readonly type?: unknown; readonly data?: unknown };
  if (type !== bootstrapTokenType || !isObject(data)) return undefined;
  return Object.fromEntries(
    Object.entries(data).map(([field, value]) => [field, Buffer.from(String(value), 'base64').toString('utf8')]),
  );
}

function isSame(kept: string, shown: string): boolean {
  const [a, b] = [Buffer.from(kept), Buffer.from(shown)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** A time that cannot be read is over. */
function isOver(expiration: string | undefined, now: number): boolean {
  if (expiration === undefined || expiration === '') return false;
  const end = Date.parse(expiration);
  return Number.isNaN(end) || end <= now;
}

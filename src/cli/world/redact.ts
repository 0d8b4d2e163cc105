import { createHmac, randomBytes } from 'node:crypto';
import { distinctBindingName, inEffectAnnotation, keyOf, refOf, waitsAtAnnotation } from '../../api/index.ts';
import type { Binding, KubeObject, Work } from '../../api/index.ts';
import {
  asDispatched,
  bindingRefOf,
  dispatchedAnnotation,
  fingerprintOf,
  inEffectOf,
  isFingerprintOf,
  wasSent,
} from '../../engine/index.ts';
import type { MemberObject } from './placed-objects.ts';

type SecretLike = KubeObject & {
  readonly data?: Readonly<Record<string, string>>;
  readonly stringData?: Readonly<Record<string, string>>;
};

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/**
 * Takes the values of Secrets out of a state and leaves fingerprints: equal values stay equal, and nothing leads back to
 * them, for the key is forgotten. Records that speak of the old content are made to speak of the new, so that every
 * decision stays the same.
 */
export class Redaction {
  readonly #key = randomBytes(32);
  /** The redacted form of a Secret, by binding. */
  readonly #secrets = new Map<string, { readonly before: KubeObject; readonly after: KubeObject }>();

  /** The objects of a hub without the values of Secrets. */
  objects(objects: readonly KubeObject[]): readonly KubeObject[] {
    const first = objects.map((object) => (isSecret(object) ? this.#template(object) : object));
    return first.map((object) => this.#record(object));
  }

  /** An object of a member without them. */
  placed({ member, object }: MemberObject, manifest: KubeObject | undefined): MemberObject {
    if (!isSecret(object)) return { member, object };
    const bare = this.secret(object);
    const known = manifest && wasSent(object, manifest);
    const annotations = known
      ? { ...bare.metadata.annotations, [dispatchedAnnotation]: digestIn(asDispatched(this.secret(manifest))) }
      : bare.metadata.annotations;
    return { member, object: { ...bare, metadata: { ...bare.metadata, ...(annotations && { annotations }) } } };
  }

  /** A Secret with fingerprints for values. */
  secret(secret: KubeObject): KubeObject {
    const { data, stringData, metadata, ...rest } = secret as SecretLike;
    const { [lastApplied]: _, ...annotations } = metadata.annotations ?? {};
    const bare: SecretLike = {
      ...rest,
      metadata: { ...metadata, ...(metadata.annotations && { annotations }) },
      ...(data && { data: this.#values(data) }),
      ...(stringData && { stringData: this.#values(stringData) }),
    };
    return bare;
  }

  #values(values: Readonly<Record<string, string>>): Record<string, string> {
    return Object.fromEntries(
      Object.entries(values).map(([name, value]) => [
        name,
        createHmac('sha256', this.#key).update(value).digest('base64'),
      ]),
    );
  }

  #template(secret: KubeObject): KubeObject {
    const bare = this.secret(secret);
    const change = { before: secret, after: bare };
    const { apiVersion, kind, metadata } = secret;
    const distinct = distinctBindingName({ apiVersion, kind, name: metadata.name });
    this.#secrets.set(keyOf(bindingRefOf(secret)), change);
    this.#secrets.set(keyOf({ ...bindingRefOf(secret), name: distinct }), change);
    if (!isFingerprintOf(secret.metadata.annotations?.[waitsAtAnnotation], secret)) return bare;
    const annotations = { ...bare.metadata.annotations, [waitsAtAnnotation]: fingerprintOf(bare) };
    return { ...bare, metadata: { ...bare.metadata, annotations } };
  }

  #record(object: KubeObject): KubeObject {
    if (object.kind === 'Work') return this.#work(object as Work);
    const change = this.#secrets.get(keyOf(refOf(object)));
    const record = change && inEffectOf(object as Binding);
    if (!record || !isFingerprintOf(record.template, change.before)) return object;
    const text = JSON.stringify({ ...record, template: fingerprintOf(change.after) });
    return {
      ...object,
      metadata: { ...object.metadata, annotations: { ...object.metadata.annotations, [inEffectAnnotation]: text } },
    };
  }

  #work(work: Work): Work {
    if (!work.spec.workload.manifests.some(isSecret)) return work;
    const manifests = work.spec.workload.manifests.map((manifest) =>
      isSecret(manifest) ? this.secret(manifest) : manifest,
    );
    return { ...work, spec: { ...work.spec, workload: { ...work.spec.workload, manifests } } };
  }
}

function isSecret({ apiVersion, kind }: KubeObject): boolean {
  return apiVersion === 'v1' && kind === 'Secret';
}

function digestIn(object: KubeObject): string {
  return object.metadata.annotations?.[dispatchedAnnotation] ?? '';
}

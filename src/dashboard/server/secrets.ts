import type { KubeObject } from '../../api/index.ts';
import { isObject, yamlOf } from '../../base/index.ts';

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/** An object as YAML for people: without what the server counts, and without the values of Secrets. */
export function shownYaml(object: KubeObject): string {
  const { managedFields: _, ...metadata } = object.metadata;
  return yamlOf(isSecret(object) ? hidden({ ...object, metadata }) : { ...object, metadata });
}

/** Returns whether this is a Secret, whose values stay on the server. */
export function isSecret({ apiVersion, kind }: Pick<KubeObject, 'apiVersion' | 'kind'>): boolean {
  return apiVersion === 'v1' && kind === 'Secret';
}

/** The Secret with the sizes of its values in their place; kubectl's copy of it goes. */
function hidden(secret: KubeObject): object {
  const { data, stringData, ...rest } = secret as KubeObject & {
    readonly data?: unknown;
    readonly stringData?: unknown;
  };
  const { [lastApplied]: _, ...annotations } = secret.metadata.annotations ?? {};
  return {
    ...rest,
    metadata: {
      ...secret.metadata,
      ...(Object.keys(annotations).length > 0 ? { annotations } : { annotations: undefined }),
    },
    ...(isObject(data) && { data: sizesOf(data) }),
    ...(isObject(stringData) && { stringData: sizesOf(stringData) }),
  };
}

function sizesOf(values: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, `(hidden, ${String(value).length} characters)`]),
  );
}

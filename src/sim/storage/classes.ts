import type { KubeObject } from '../../api/index.ts';
import type { Admit } from '../../apiserver/index.ts';
import type { Claim, StorageClass } from '../cluster/objects.ts';
import { provisioner } from './volumes.ts';

const isDefault = 'storageclass.kubernetes.io/is-default-class';

/** The class that every member starts with. */
export const standardClass: StorageClass & { readonly volumeBindingMode: string } = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name: 'standard', annotations: { [isDefault]: 'true' } },
  provisioner,
  reclaimPolicy: 'Delete',
  volumeBindingMode: 'Immediate',
};

/** Gives a new claim without a class the default one, as the plugin of that name does in Kubernetes. */
export function defaultClass(classes: () => readonly StorageClass[]): Admit {
  return ({ operation, kind, object, subresource }) => {
    if (operation !== 'CREATE' || kind.kind !== 'PersistentVolumeClaim' || subresource || !object) return {};
    const claim = object as Claim;
    if (claim.spec.storageClassName !== undefined) return {};
    const chosen = classes().find(({ metadata }) => metadata.annotations?.[isDefault] === 'true');
    if (!chosen) return {};
    const spec = { ...claim.spec, storageClassName: chosen.metadata.name };
    return { object: { ...claim, spec } as KubeObject };
  };
}

import type { KubeObject } from '../../api/index.ts';
import { ageColumn, boolean, type CellColumn, column, integer, nameColumn, wide } from './column.ts';
import { at, flag, given, joined, labelled, list, strings, text } from './read.ts';

const shortModes: readonly (readonly [string, string])[] = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
];

function accessModes(modes: readonly string[]): string {
  return shortModes
    .filter(([mode]) => modes.includes(mode))
    .map(([, short]) => short)
    .join(',');
}

/** An old annotation still wins over the field. */
function className(object: KubeObject): string {
  return (
    labelled(object, 'annotations', 'volume.beta.kubernetes.io/storage-class') || text(object, 'spec.storageClassName')
  );
}

function phase(object: KubeObject): string {
  return object.metadata.deletionTimestamp === undefined ? text(object, 'status.phase') : 'Terminating';
}

function claim(volume: KubeObject): string {
  const ref = at(volume, 'spec.claimRef');
  return ref === undefined ? '' : `${text(ref, 'namespace')}/${text(ref, 'name')}`;
}

const isBound = (volumeClaim: KubeObject): boolean => text(volumeClaim, 'spec.volumeName') !== '';

const attributesClass = column('VolumeAttributesClass', (object) =>
  given(object, 'spec.volumeAttributesClassName', '<unset>'),
);
const volumeMode = wide(column('VolumeMode', (object) => given(object, 'spec.volumeMode', '<unset>')));

function isDefaultClass(object: KubeObject): boolean {
  const keys = ['storageclass.kubernetes.io/is-default-class', 'storageclass.beta.kubernetes.io/is-default-class'];
  return keys.some((key) => labelled(object, 'annotations', key) === 'true');
}

function audiences(driver: KubeObject): string {
  if (at(driver, 'spec.tokenRequests') === undefined) return '<unset>';
  return list(driver, 'spec.tokenRequests')
    .map((request) => text(request, 'audience'))
    .join(',');
}

/** Columns of volumes, claims and their drivers, by group and plural. */
export const storageColumns: Readonly<Record<string, readonly CellColumn[]>> = {
  '/persistentvolumes': [
    nameColumn,
    column('Capacity', (object) => text(object, 'spec.capacity.storage', '0')),
    column('Access Modes', (object) => accessModes(strings(object, 'spec.accessModes'))),
    column('Reclaim Policy', (object) => text(object, 'spec.persistentVolumeReclaimPolicy')),
    column('Status', phase),
    column('Claim', claim),
    column('StorageClass', className),
    attributesClass,
    column('Reason', (object) => text(object, 'status.reason')),
    ageColumn,
    volumeMode,
  ],
  '/persistentvolumeclaims': [
    nameColumn,
    column('Status', phase),
    column('Volume', (object) => text(object, 'spec.volumeName')),
    column('Capacity', (object) => (isBound(object) ? text(object, 'status.capacity.storage', '0') : '')),
    column('Access Modes', (object) => (isBound(object) ? accessModes(strings(object, 'status.accessModes')) : '')),
    column('StorageClass', className),
    attributesClass,
    ageColumn,
    volumeMode,
  ],
  'storage.k8s.io/storageclasses': [
    { ...nameColumn, cell: (object) => `${object.metadata.name}${isDefaultClass(object) ? ' (default)' : ''}` },
    column('Provisioner', (object) => text(object, 'provisioner')),
    column('ReclaimPolicy', (object) => given(object, 'reclaimPolicy', 'Delete')),
    column('VolumeBindingMode', (object) => given(object, 'volumeBindingMode', 'Immediate')),
    column('AllowVolumeExpansion', (object) => flag(object, 'allowVolumeExpansion')),
    ageColumn,
  ],
  'storage.k8s.io/volumeattachments': [
    nameColumn,
    { ...column('Attacher', (object) => text(object, 'spec.attacher')), format: 'name' },
    column('PV', (object) => text(object, 'spec.source.persistentVolumeName')),
    column('Node', (object) => text(object, 'spec.nodeName')),
    boolean('Attached', (object) => flag(object, 'status.attached')),
    ageColumn,
  ],
  'storage.k8s.io/volumeattributesclasses': [
    nameColumn,
    column('DriverName', (object) => text(object, 'driverName')),
    ageColumn,
  ],
  'storage.k8s.io/csinodes': [
    nameColumn,
    integer('Drivers', (object) => list(object, 'spec.drivers').length),
    ageColumn,
  ],
  'storage.k8s.io/csidrivers': [
    nameColumn,
    boolean('AttachRequired', (object) => flag(object, 'spec.attachRequired', true)),
    boolean('PodInfoOnMount', (object) => flag(object, 'spec.podInfoOnMount')),
    boolean('StorageCapacity', (object) => flag(object, 'spec.storageCapacity')),
    column('TokenRequests', audiences),
    boolean('RequiresRepublish', (object) => flag(object, 'spec.requiresRepublish')),
    column('Modes', (object) => joined(strings(object, 'spec.volumeLifecycleModes'))),
    ageColumn,
  ],
  'storage.k8s.io/csistoragecapacities': [
    nameColumn,
    column('StorageClassName', (object) => text(object, 'storageClassName')),
    column('Capacity', (object) => given(object, 'capacity', '<unset>')),
  ],
};

import { quantity } from '../../api/index.ts';
import { objectKey } from '../../apiserver/index.ts';
import type { Behaviour } from '../cluster/behaviour.ts';
import { storeKey } from '../cluster/cluster.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { kinds } from '../cluster/kinds.ts';
import { isGoing } from '../cluster/objects.ts';
import type { Claim, Volume } from '../cluster/objects.ts';

export const provisioner = 'sim.sluice.dev/volumes';
const bound = { 'pv.kubernetes.io/bind-completed': 'yes', 'pv.kubernetes.io/bound-by-controller': 'yes' };

/** Binds every claim: to a volume that somebody made and that fits, or to a new one of whatever class it names. */
export const claims: Behaviour<Claim> = {
  name: 'claims',
  kind: kinds.claims,
  wakes: {
    '/persistentvolumes': (cluster, { after }) => {
      if (!after || (after as Volume).spec.claimRef) return [];
      return cluster.list(kinds.claims).filter(isWaiting).map(keyOf);
    },
  },
  async look(cluster, claim) {
    if (isGoing(claim) || claim.status?.phase === 'Bound') return undefined;
    const left = cluster.waits.left(`bind ${claim.metadata.uid ?? ''}`, cluster.delayMilliseconds);
    if (left > 0) return left;
    cluster.waits.end(`bind ${claim.metadata.uid ?? ''}`);
    const volume = await volumeFor(cluster, claim);
    if (volume) await bind(cluster, claim, volume);
    return undefined;
  },
};

const isWaiting = ({ status }: Claim): boolean => status?.phase !== 'Bound';
const keyOf = (claim: Claim): string => storeKey(kinds.claims, claim);

async function volumeFor(cluster: Cluster, claim: Claim): Promise<Volume | undefined> {
  const all = cluster.list(kinds.volumes);
  const mine = all.find(({ spec }) => spec.claimRef?.uid === claim.metadata.uid);
  if (mine) return mine;
  const { volumeName, storageClassName } = claim.spec;
  const free = all.find(
    (volume) => isFree(volume) && (volumeName ? volume.metadata.name === volumeName : fits(volume, claim)),
  );
  if (free) return take(cluster, free, claim);
  // A name, and an empty class too, are wishes for a volume that somebody makes by hand.
  return volumeName || storageClassName === '' ? undefined : cluster.create(volumeOf(claim));
}

const isFree = (volume: Volume): boolean => !volume.spec.claimRef && !isGoing(volume);

function fits({ spec }: Volume, claim: Claim): boolean {
  const [has, wants] = [quantity(spec.capacity?.['storage']), quantity(sizeOf(claim))];
  return (
    (spec.storageClassName ?? '') === (claim.spec.storageClassName ?? '') &&
    (has ?? 0) >= (wants ?? 0) &&
    (claim.spec.accessModes ?? []).every((mode) => spec.accessModes?.includes(mode))
  );
}

const sizeOf = ({ spec }: Claim): string => spec.resources?.requests?.['storage'] ?? '1Gi';

function referenceTo({ metadata }: Claim): object {
  const { name, namespace, uid, resourceVersion } = metadata;
  return { apiVersion: 'v1', kind: 'PersistentVolumeClaim', name, namespace, uid, resourceVersion };
}

function take(cluster: Cluster, volume: Volume, claim: Claim): Promise<Volume> {
  return cluster.update({ ...volume, spec: { ...volume.spec, claimRef: referenceTo(claim) } });
}

function volumeOf(claim: Claim): Volume {
  const { storageClassName = '', accessModes = ['ReadWriteOnce'], volumeMode = 'Filesystem' } = claim.spec;
  const name = `pvc-${claim.metadata.uid ?? ''}`;
  const spec = {
    capacity: { storage: sizeOf(claim) },
    accessModes,
    volumeMode,
    storageClassName,
    persistentVolumeReclaimPolicy: 'Delete',
    claimRef: referenceTo(claim),
    hostPath: { path: `/var/lib/volumes/${name}`, type: 'DirectoryOrCreate' },
  };
  const annotations = { 'pv.kubernetes.io/provisioned-by': provisioner };
  return { apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name, annotations }, spec };
}

async function bind(cluster: Cluster, claim: Claim, volume: Volume): Promise<void> {
  const annotations = { ...claim.metadata.annotations, ...bound };
  const written = await cluster.update({
    ...claim,
    metadata: { ...claim.metadata, annotations },
    spec: { ...claim.spec, volumeName: volume.metadata.name },
  });
  const { accessModes, capacity } = volume.spec;
  await cluster.writeStatus(written, { phase: 'Bound', accessModes, capacity });
}

/** Says whether a volume is free, bound or left behind; one that was made for a claim goes with it. */
export const volumes: Behaviour<Volume> = {
  name: 'volumes',
  kind: kinds.volumes,
  wakes: {
    '/persistentvolumeclaims': (cluster, { before, after }) => {
      const gone = after ? undefined : (before as Claim | undefined)?.spec.volumeName;
      return gone ? [objectKey(kinds.volumes, '', gone)] : [];
    },
  },
  async look(cluster, volume) {
    if (isGoing(volume)) return undefined;
    const phase = phaseOf(cluster, volume);
    if (phase === 'Released' && volume.spec.persistentVolumeReclaimPolicy === 'Delete') await cluster.delete(volume);
    else await cluster.writeStatus(volume, { phase });
    return undefined;
  },
};

function phaseOf(cluster: Cluster, { spec }: Volume): 'Available' | 'Bound' | 'Released' {
  const { uid, namespace, name = '' } = spec.claimRef ?? {};
  if (!uid) return 'Available';
  return cluster.get(kinds.claims, namespace, name)?.metadata.uid === uid ? 'Bound' : 'Released';
}

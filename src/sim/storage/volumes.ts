import type { StoredChange } from '../../apiserver/index.ts';
import { Multimap } from '../../base/index.ts';
import { quantity } from '../../api/index.ts';
import { objectKey } from '../../apiserver/index.ts';
import type { Behaviour, Observer } from '../cluster/behaviour.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { kinds } from '../cluster/kinds.ts';
import { isGoing } from '../cluster/objects.ts';
import type { Claim, Volume } from '../cluster/objects.ts';

/** The provisioner of the default StorageClass. */
export const provisioner = 'sim.sluice.dev/volumes';
const bound = { 'pv.kubernetes.io/bind-completed': 'yes', 'pv.kubernetes.io/bound-by-controller': 'yes' };

/** Volumes by the claim they belong to, volumes that belong to none, and claims that wait for one. */
class Storage implements Observer {
  readonly #byClaim = new Multimap<string>();
  readonly #free = new Multimap<string>();
  readonly #waiting = new Multimap<string>();

  clear(): void {
    for (const groups of [this.#byClaim, this.#free, this.#waiting]) groups.clear();
  }

  learn(resource: string, change: StoredChange): void {
    if (resource === '/persistentvolumes') this.#learnVolume(change);
    if (resource === '/persistentvolumeclaims') this.#learnClaim(change);
  }

  #learnVolume({ key, before, after }: StoredChange): void {
    const [old, now] = [ownerOf(before as Volume | undefined), ownerOf(after as Volume | undefined)];
    this.#free.delete(all, key);
    if (old) this.#byClaim.delete(old, key);
    if (now) this.#byClaim.add(now, key);
    if (after && isFree(after as Volume)) this.#free.add(all, key);
  }

  #learnClaim({ key, after }: StoredChange): void {
    if (after && (after as Claim).status?.phase !== 'Bound') this.#waiting.add(all, key);
    else this.#waiting.delete(all, key);
  }

  /** The volume that belongs to a claim. */
  volumeOf(cluster: Cluster, { metadata }: Claim): Volume | undefined {
    return this.#volumes(cluster, this.#byClaim.of(metadata.uid ?? ''))[0];
  }

  /** The volumes that belong to no claim, in the order of their keys. */
  freeVolumes(cluster: Cluster): readonly Volume[] {
    return this.#volumes(cluster, this.#free.of(all));
  }

  waitingClaims(): Iterable<string> {
    return this.#waiting.of(all);
  }

  #volumes(cluster: Cluster, keys: Iterable<string>): readonly Volume[] {
    return [...keys].sort().flatMap((key) => cluster.at(kinds.volumes, key) ?? []);
  }
}

const all = '';
const ownerOf = (volume: Volume | undefined): string | undefined => volume?.spec.claimRef?.uid;

/** Binds every claim: to a volume that somebody made and that fits, or to a new one of whatever class it names. */
export function claimsOf(): Behaviour<Claim> {
  const storage = new Storage();
  return {
    name: 'claims',
    kind: kinds.claims,
    observers: [storage],
    wakes: {
      '/persistentvolumes': (_cluster, { after }) =>
        after && !(after as Volume).spec.claimRef ? storage.waitingClaims() : [],
    },
    async look(cluster, claim) {
      if (isGoing(claim) || claim.status?.phase === 'Bound') return undefined;
      const left = cluster.waits.left(`bind ${claim.metadata.uid ?? ''}`, cluster.delayMilliseconds);
      if (left > 0) return left;
      cluster.waits.end(`bind ${claim.metadata.uid ?? ''}`);
      const volume = await volumeFor(cluster, storage, claim);
      if (volume) await bind(cluster, claim, volume);
      return undefined;
    },
  };
}

async function volumeFor(cluster: Cluster, storage: Storage, claim: Claim): Promise<Volume | undefined> {
  const mine = storage.volumeOf(cluster, claim);
  if (mine) return mine;
  const { volumeName, storageClassName } = claim.spec;
  const free = storage
    .freeVolumes(cluster)
    .find((volume) => isFree(volume) && (volumeName ? volume.metadata.name === volumeName : fits(volume, claim)));
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

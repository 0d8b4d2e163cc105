import { forbidden, invalidValue } from '../api/index.ts';
import type { FieldError, KubeObject } from '../api/index.ts';
import { equal, isObject } from '../base/index.ts';
import { configMaps, secrets } from './data.ts';
import type { Draft, Part } from './draft.ts';
import { fill, ownPart, partOf, partsOf, specOf } from './part.ts';
import { defaultTemplate } from './poddefaults.ts';
import { pods } from './pods.ts';
import { podSpecErrors } from './podvalidate.ts';
import { canonicalQuantities } from './quantity.ts';
import { quotaErrors } from './quotas.ts';
import { services } from './services.ts';
import type { Strategy } from './strategy.ts';
import { countErrors, specLacks } from './workload.ts';

/** The resource of namespaces. */
export const namespacesResource = { group: '', plural: 'namespaces' } as const;

const namespaceFinalizer = 'kubernetes';
const nameLabel = 'kubernetes.io/metadata.name';
const undeletable = new Set(['default', 'kube-system', 'kube-public']);

/** Selectors of namespaces find each by its name. */
function nameNamespace({ metadata }: Draft): void {
  if (metadata.name) metadata.labels = { ...metadata.labels, [nameLabel]: metadata.name };
}

const namespaces: Strategy = {
  names: 'label',
  defaults: (draft) => nameNamespace(draft),
  prepareCreate(draft) {
    ownPart(draft, 'spec')['finalizers'] = [namespaceFinalizer];
    draft['status'] = { phase: 'Active' };
    nameNamespace(draft);
  },
  prepareUpdate(draft, old) {
    draft['spec'] = specOf(old);
  },
  isFinal: (object: KubeObject) => ((specOf(object)['finalizers'] ?? []) as readonly string[]).length === 0,
  beginDeletion(draft) {
    const { name } = draft.metadata;
    if (undeletable.has(name)) throw forbidden(namespacesResource, name, 'this namespace may not be deleted');
    draft['status'] = { ...partOf(draft, 'status'), phase: 'Terminating' };
  },
};

const persistentVolumeClaims: Strategy = {
  defaults(draft) {
    fill(ownPart(draft, 'spec'), { volumeMode: 'Filesystem' });
    canonicalQuantities(partOf(partOf(draft['spec'] as Part, 'resources'), 'requests'));
  },
  prepareCreate(draft) {
    draft['status'] = { phase: 'Pending' };
  },
  validateUpdate: claimChangeErrors,
};

/** A claim is immutable but for the size it asks for and what binding writes. */
function claimChangeErrors(draft: Draft, old: KubeObject): FieldError[] {
  const [spec, before] = [specOf(draft), specOf(old)];
  const bound = before['volumeName'] !== undefined;
  const free = new Set(['resources', 'volumeAttributesClassName', ...(bound ? [] : ['volumeName'])]);
  const names = [...new Set([...Object.keys(spec), ...Object.keys(before)])];
  if (names.every((name) => free.has(name) || equal(spec[name], before[name]))) return [];
  const detail =
    'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims';
  return [{ type: 'forbidden', field: 'spec', detail }];
}

const persistentVolumes: Strategy = {
  defaults(draft) {
    fill(ownPart(draft, 'spec'), { persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' });
    canonicalQuantities(specOf(draft)['capacity']);
  },
  prepareCreate(draft) {
    draft['status'] = { phase: 'Pending' };
  },
};

const nodes: Strategy = { keepsStatus: true };

const replicationControllers: Strategy = {
  generation: true,
  initialStatus: { replicas: 0 },
  defaults(draft) {
    const spec = ownPart(draft, 'spec');
    fill(spec, { replicas: 1 });
    defaultTemplate(spec);
    const labels = partOf(partOf(partOf(spec, 'template'), 'metadata'), 'labels');
    if (specLacks(draft, 'selector') && Object.keys(labels).length > 0) spec['selector'] = { ...labels };
    if (!draft.metadata.labels && Object.keys(labels).length > 0) draft.metadata.labels = { ...labels } as never;
  },
  validate: (draft) => [
    ...countErrors(draft, ['replicas', 'minReadySeconds']),
    ...podSpecErrors(partOf(partOf(specOf(draft), 'template'), 'spec'), 'spec.template.spec'),
  ],
};

const podTemplates: Strategy = {
  generation: true,
  defaults: (draft) => defaultTemplate(draft),
};

/** Go writes these whether or not they are set. */
const emptyEvent = {
  source: () => ({}),
  firstTimestamp: null,
  lastTimestamp: null,
  eventTime: null,
  reportingComponent: '',
  reportingInstance: '',
};

const events: Strategy = {
  createOnUpdate: true,
  prepareCreate: (draft) => fill(draft, emptyEvent),
  validate(draft) {
    const involved = partOf(draft, 'involvedObject')['namespace'];
    const namespace = draft.metadata.namespace ?? '';
    if (!isObject(draft['involvedObject']) || involved === undefined || involved === namespace) return [];
    if (involved === '' || namespace === 'default') return [];
    return [invalidValue('involvedObject.namespace', involved, 'does not match event.namespace')];
  },
};

const limitRanges: Strategy = {
  createOnUpdate: true,
  defaults(draft) {
    for (const limit of partsOf(specOf(draft), 'limits')) {
      for (const name of ['min', 'max', 'default', 'defaultRequest']) canonicalQuantities(limit[name]);
      if (limit['type'] === 'Container') defaultLimits(limit);
    }
  },
};

/** Fills in defaults: a maximum is the default limit, and a default limit is the default request. */
function defaultLimits(limit: Part): void {
  for (const [name, source] of [
    ['default', 'max'],
    ['defaultRequest', 'default'],
    ['defaultRequest', 'min'],
  ] as const) {
    const values = partOf(limit, source);
    if (Object.keys(values).length > 0) fill(ownPart(limit, name), values);
  }
}

const resourceQuotas: Strategy = {
  defaults: (draft) => canonicalQuantities(specOf(draft)['hard']),
  validate: quotaErrors,
};

const endpoints: Strategy = {
  createOnUpdate: true,
  defaults(draft) {
    for (const subset of partsOf(draft, 'subsets')) {
      for (const port of partsOf(subset, 'ports')) fill(port, { protocol: 'TCP' });
    }
  },
};

const serviceAccounts: Strategy = {};

/** The core group. */
export const core: Readonly<Record<string, Strategy>> = {
  '/configmaps': configMaps,
  '/endpoints': endpoints,
  '/events': events,
  '/limitranges': limitRanges,
  '/namespaces': namespaces,
  '/nodes': nodes,
  '/persistentvolumeclaims': persistentVolumeClaims,
  '/persistentvolumes': persistentVolumes,
  '/pods': pods,
  '/podtemplates': podTemplates,
  '/replicationcontrollers': replicationControllers,
  '/resourcequotas': resourceQuotas,
  '/secrets': secrets,
  '/serviceaccounts': serviceAccounts,
  '/services': services,
};

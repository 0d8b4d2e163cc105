import type { KubeObject } from '../../api/index.ts';
import type { Part } from '../draft.ts';
import type { Strategy } from '../strategy.ts';

const namespaceFinalizer = 'kubernetes';

const namespaces: Strategy = {
  names: 'label',
  prepareCreate(draft) {
    const spec = (draft['spec'] ??= {}) as Part;
    spec['finalizers'] = [namespaceFinalizer];
    draft['status'] = { phase: 'Active' };
    const labels = { ...draft.metadata.labels, 'kubernetes.io/metadata.name': draft.metadata.name };
    draft.metadata.labels = labels;
  },
  prepareUpdate(draft, old) {
    draft['spec'] = (old as unknown as Part)['spec'];
    draft.metadata.labels = { ...draft.metadata.labels, 'kubernetes.io/metadata.name': draft.metadata.name };
  },
  isFinal: (object: KubeObject) => {
    const spec = (object as unknown as Part)['spec'] as { readonly finalizers?: readonly string[] } | undefined;
    return (spec?.finalizers ?? []).length === 0;
  },
  beginDeletion(draft) {
    draft['status'] = { ...(draft['status'] as Part | undefined), phase: 'Terminating' };
  },
};

/** The core group. */
export const core: Readonly<Record<string, Strategy>> = {
  '/namespaces': namespaces,
};

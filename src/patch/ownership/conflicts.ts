import { applyConflict } from '../../api/index.ts';
import type { ApiError } from '../../api/index.ts';
import { intersection, pathsOf } from '../../base/index.ts';
import type { FieldSet } from '../../base/index.ts';
import { pathText } from '../fields/path-element.ts';
import { order } from './entries.ts';
import type { ManagedFieldsEntry } from './entries.ts';

/** A field that an applier would change while another manager owns it. */
export interface Conflict {
  /** How messages name the owner: `"kubectl-edit" using apps/v1`. */
  readonly owner: string;
  readonly path: readonly string[];
}

/** The fields of other managers among those that change, by manager. */
export function conflictsWith(others: readonly ManagedFieldsEntry[], changed: FieldSet): readonly Conflict[] {
  return others
    .toSorted((a, b) => order(a.manager, b.manager) || order(a.operation, b.operation))
    .flatMap((entry) => {
      const owner = ownerText(entry);
      return pathsOf(intersection(entry.fieldsV1, changed)).map((path) => ({ owner, path }));
    });
}

function ownerText({ manager, subresource, operation, apiVersion }: ManagedFieldsEntry): string {
  const name = subresource
    ? `${JSON.stringify(manager)} with subresource ${JSON.stringify(subresource)}`
    : JSON.stringify(manager);
  return operation === 'Update' ? `${name} using ${apiVersion}` : name;
}

/** The 409 that kubectl knows how to explain. */
export function conflictError(conflicts: readonly Conflict[]): ApiError {
  const causes = conflicts.map(({ owner, path }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${owner}`,
    field: pathText(path),
  }));
  return applyConflict(conflictMessage(conflicts), causes);
}

function conflictMessage(conflicts: readonly Conflict[]): string {
  const [first] = conflicts;
  if (first && conflicts.length === 1) {
    return `Apply failed with 1 conflict: conflict with ${first.owner}: ${pathText(first.path)}`;
  }
  const lines = [...Map.groupBy(conflicts, ({ owner }) => owner)].map(
    ([owner, fields]) => `conflicts with ${owner}:${fields.map(({ path }) => `\n- ${pathText(path)}`).join('')}`,
  );
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join('\n')}`;
}

import { forbiddenField, immutable, invalidValue, notSupported, required } from '../../api/index.ts';
import type { CrdNames, CrdVersion, CustomResourceDefinition, FieldError } from '../../api/index.ts';
import { equal } from '../../base/index.ts';
import { isCostError } from '../cel/index.ts';
import { schemaErrors } from './schema.ts';
import { isEstablished } from './status.ts';
import { columnErrors, scaleErrors, selectableErrors } from './version.ts';

/** The errors of a definition that is to be created; it has its defaults. */
export function validateCrd(crd: CustomResourceDefinition): readonly FieldError[] {
  return [
    ...nameErrors(crd),
    ...groupErrors(crd),
    ...versionErrors(crd),
    ...requiredNames(crd),
    ...namesErrors(crd.spec.names, 'spec.names'),
    ...conversionErrors(crd),
    ...preservationErrors(crd),
    ...storedVersionErrors(crd),
    ...approvalErrors(crd),
  ];
}

/** The errors of a change of a definition. */
export function validateCrdUpdate(crd: CustomResourceDefinition, old: CustomResourceDefinition): readonly FieldError[] {
  const approval = 'metadata.annotations[api-approved.kubernetes.io]';
  const errors = validateCrd(crd)
    .filter((error) => error.field !== approval || !hadSameApproval(crd, old))
    .filter((error) => !isCostError(error) || !hadSameSchema(crd, old, error.field));
  const fixed: [string, unknown, unknown][] = [
    ['spec.group', crd.spec.group, old.spec.group],
    ['spec.names.plural', crd.spec.names.plural, old.spec.names.plural],
  ];
  if (isEstablished(old)) {
    fixed.push(['spec.scope', crd.spec.scope, old.spec.scope]);
    fixed.push(['spec.names.kind', crd.spec.names.kind, old.spec.names.kind]);
  }
  const changed = fixed.filter(([, now, before]) => now !== before);
  return [...errors, ...changed.map(([field, now]) => immutable(field, now))];
}

/** A schema that was accepted before rules had a budget may stay as it is. */
function hadSameSchema(crd: CustomResourceDefinition, old: CustomResourceDefinition, field: string): boolean {
  const version = crd.spec.versions[Number(/^spec\.versions\[(\d+)\]/.exec(field)?.[1])];
  const before = old.spec.versions.find(({ name }) => name === version?.name);
  return version !== undefined && before !== undefined && equal(version.schema, before.schema);
}

function nameErrors({ metadata, spec }: CustomResourceDefinition): FieldError[] {
  if (metadata.name === `${spec.names.plural}.${spec.group}`) return [];
  return [invalidValue('metadata.name', metadata.name, 'must be spec.names.plural+"."+spec.group')];
}

const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const subdomainWords =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

function groupErrors({ spec: { group, scope } }: CustomResourceDefinition): FieldError[] {
  const errors: FieldError[] = [];
  if (!group) errors.push(required('spec.group'));
  else if (!subdomain.test(group)) errors.push(invalidValue('spec.group', group, subdomainWords));
  else if (!group.includes('.')) {
    errors.push(invalidValue('spec.group', group, 'should be a domain with at least one dot'));
  }
  if (!scope) errors.push(required('spec.scope'));
  else if (!['Cluster', 'Namespaced'].includes(scope)) {
    errors.push(notSupported('spec.scope', scope, ['Cluster', 'Namespaced']));
  }
  return errors;
}

function versionErrors({ spec: { versions } }: CustomResourceDefinition): FieldError[] {
  const errors = versions.flatMap((version, i) => oneVersionErrors(version, `spec.versions[${i}]`));
  const names = new Set(versions.map((version) => version.name));
  if (names.size < versions.length) {
    errors.push(invalidValue('spec.versions', versions, 'must contain unique version names'));
  }
  if (versions.filter((version) => version.storage).length !== 1) {
    const detail = 'must have exactly one version marked as storage version';
    errors.push(invalidValue('spec.versions', versions, detail));
  }
  return errors;
}

function oneVersionErrors(version: CrdVersion, path: string): FieldError[] {
  const { name, schema, subresources } = version;
  const openapi = schema?.openAPIV3Schema;
  return [
    ...(openapi ? [] : [required(`${path}.schema.openAPIV3Schema`)]),
    ...(isDnsLabel(name) ? [] : [invalidValue(`${path}.name`, name, labelWords)]),
    ...deprecationErrors(version, path),
    ...(openapi ? schemaErrors(openapi, `${path}.schema.openAPIV3Schema`, subresources?.status !== undefined) : []),
    ...scaleErrors(subresources?.scale, `${path}.subresources`),
    ...columnErrors(version.additionalPrinterColumns ?? [], `${path}.additionalPrinterColumns`),
    ...selectableErrors(version, `${path}.selectableFields`),
  ];
}

function deprecationErrors({ deprecated, deprecationWarning }: CrdVersion, path: string): FieldError[] {
  if (deprecationWarning === undefined) return [];
  const wrong = (detail: string): FieldError[] => [
    invalidValue(`${path}.deprecationWarning`, deprecationWarning, detail),
  ];
  if (!deprecated) return wrong('can only be set for deprecated versions');
  if (deprecationWarning === '') return wrong('must not be an empty string');
  if (deprecationWarning.length > 256) return wrong('must be <= 256 characters long');
  return /\p{C}/u.test(deprecationWarning) ? wrong('must only contain printable UTF-8 characters') : [];
}

function requiredNames({ spec: { names } }: CustomResourceDefinition): FieldError[] {
  const keys = ['plural', 'singular', 'kind', 'listKind'] as const;
  return keys.filter((key) => !names[key]).map((key) => required(`spec.names.${key}`));
}

/**
 * The hub calls no conversion webhooks. A definition that names one is accepted while it has a single version,
 * for then there is nothing to convert.
 */
function conversionErrors({ spec: { conversion, versions } }: CustomResourceDefinition): FieldError[] {
  if (!conversion) return [];
  const { strategy } = conversion;
  const path = 'spec.conversion';
  if (!strategy) return [required(`${path}.strategy`)];
  if (strategy === 'Webhook') {
    if (versions.length <= 1) return [];
    const detail = 'this hub calls no conversion webhooks; use None, or keep a single version';
    return [invalidValue(`${path}.strategy`, strategy, detail)];
  }
  if (strategy !== 'None') return [notSupported(`${path}.strategy`, strategy, ['None', 'Webhook'])];
  if (!conversion.webhook) return [];
  return [forbiddenField(`${path}.webhookClientConfig`, 'should not be set when strategy is not set to Webhook')];
}

function preservationErrors({ spec }: CustomResourceDefinition): FieldError[] {
  if (!spec.preserveUnknownFields) return [];
  const detail =
    'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
  return [invalidValue('spec.preserveUnknownFields', true, detail)];
}

function storedVersionErrors({ spec, status }: CustomResourceDefinition): FieldError[] {
  const stored = status?.storedVersions ?? [];
  const path = 'status.storedVersions';
  if (stored.length === 0) return [invalidValue(path, stored, 'must have at least one stored version')];
  const missing = spec.versions.filter((version) => version.storage && !stored.includes(version.name));
  const gone = stored.filter((name) => !spec.versions.some((version) => version.name === name));
  return [
    ...missing.map(({ name }) => invalidValue(path, stored, `must have the storage version ${name}`)),
    ...gone.map((name) =>
      invalidValue(
        `${path}[${stored.indexOf(name)}]`,
        name,
        `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`,
      ),
    ),
  ];
}

const approved = 'api-approved.kubernetes.io';
const protectedGroup = /(?:^|\.)(?:k8s|kubernetes)\.io$/;

/** Groups of the Kubernetes community ask for a note that says who approved the API. */
function approvalErrors({ spec, metadata }: CustomResourceDefinition): FieldError[] {
  if (!protectedGroup.test(spec.group)) return [];
  const value = metadata.annotations?.[approved] ?? '';
  const field = `metadata.annotations[${approved}]`;
  const see = `see https://github.com/kubernetes/enhancements/pull/1111`;
  if (value === '') return [required(field, `protected groups must have approval annotation "${approved}", ${see}`)];
  if (value.startsWith('unapproved') || (URL.canParse(value) && new URL(value).host !== '')) return [];
  const detail = `protected groups must have approval annotation "${approved}" with either a URL or a reason starting with "unapproved", ${see}`;
  return [invalidValue(field, value, detail)];
}

function hadSameApproval(crd: CustomResourceDefinition, old: CustomResourceDefinition): boolean {
  return crd.metadata.annotations?.[approved] === old.metadata.annotations?.[approved];
}

const label = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;

/** Kubernetes' message about a name that is not a DNS-1035 label. */
const labelWords =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";

/** True for a DNS-1035 label. */
function isDnsLabel(text = ''): boolean {
  return text.length <= 63 && label.test(text);
}

/** The errors of the names of a resource; a name that is absent is not looked at. */
function namesErrors(names: CrdNames, path: string): FieldError[] {
  const { kind, listKind } = names;
  const mixed = `may have mixed case, but should otherwise match: ${labelWords}`;
  const wrong = (key: string, name: string | undefined, words = labelWords): FieldError[] =>
    !name || isDnsLabel(words === labelWords ? name : name.toLowerCase())
      ? []
      : [invalidValue(`${path}.${key}`, name, words)];
  const ambiguous = kind && kind === listKind;
  return [
    ...wrong('plural', names.plural),
    ...wrong('singular', names.singular),
    ...wrong('kind', kind, mixed),
    ...wrong('listKind', listKind, mixed),
    ...(names.shortNames ?? []).flatMap((name, i) => wrong(`shortNames[${i}]`, name)),
    ...(ambiguous ? [invalidValue(`${path}.listKind`, listKind, 'kind and listKind may not be the same')] : []),
    ...(names.categories ?? []).flatMap((name, i) => wrong(`categories[${i}]`, name)),
  ];
}

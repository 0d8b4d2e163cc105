import { dump } from 'js-yaml';

/** A value as YAML. */
export function yamlOf(value: unknown): string {
  return dump(JSON.parse(JSON.stringify(value)), { noRefs: true, lineWidth: -1 });
}

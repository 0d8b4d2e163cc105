import {
  boolYaml11Tag,
  dump,
  FAILSAFE_SCHEMA,
  floatYaml11Tag,
  intYaml11Tag,
  loadAll,
  mergeTag,
  nullYaml11Tag,
} from 'js-yaml';

/** YAML 1.1 as kubectl reads it, less timestamps: a date is a text to Kubernetes. */
const schema = FAILSAFE_SCHEMA.withTags(mergeTag, nullYaml11Tag, boolYaml11Tag, intYaml11Tag, floatYaml11Tag);

/** The documents of a text in YAML or JSON; empty ones are left out. */
export function documentsOf(text: string): readonly unknown[] {
  return loadAll(text, { schema }).filter((document) => document !== null && document !== undefined && document !== '');
}

/** A value as YAML. */
export function yamlOf(value: unknown): string {
  return dump(JSON.parse(JSON.stringify(value)), { noRefs: true, lineWidth: -1 });
}

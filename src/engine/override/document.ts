import type { FieldOverrider, FieldPatchOperation, KubeObject } from '../../api/index.ts';
import { documentIn, isDeeper, isObject, yamlOf } from '../../base/index.ts';
import { OverrideFailure } from './failure.ts';
import { changedAt, textAt } from './pointer.ts';

/** Levels of arrays and objects in a document: as many as the hub takes in an object. */
const mostLevels = 500;

/** Patches the JSON or YAML document that stands in a text field, and writes it back as a text. */
export function withDocument(object: KubeObject, { fieldPath, json = [], yaml = [] }: FieldOverrider): KubeObject {
  const text = textAt(object, fieldPath);
  const value =
    yaml.length > 0
      ? yamlOf(patched(read(text, 'YAML', fieldPath), yaml), { asGo: true })
      : JSON.stringify(patched(read(text, 'JSON', fieldPath), json));
  return changedAt(object, [{ path: fieldPath, operator: 'replace', value }]);
}

function patched(document: object, operations: readonly FieldPatchOperation[]): object {
  return changedAt(
    document,
    operations.map(({ subPath, operator, value }) => ({ path: subPath, operator, value })),
  );
}

const parsers = { JSON: (text: string): unknown => JSON.parse(text), YAML: documentIn } as const;

function read(text: string, language: keyof typeof parsers, fieldPath: string): object {
  const document = parsed(text, language, fieldPath);
  if (typeof document !== 'object' || document === null) {
    throw new OverrideFailure(`${fieldPath}: the document is neither an object nor a list`);
  }
  if (isDeeper(document, mostLevels)) throw new OverrideFailure(`${fieldPath}: more than ${mostLevels} levels`);
  if (hasInexactNumber(document)) {
    throw new OverrideFailure(`${fieldPath}: a number has more digits than can be kept; write it as a text`);
  }
  return document;
}

/** Leaves out the words of the parser: they quote the text, which may be a secret. */
function parsed(text: string, language: keyof typeof parsers, fieldPath: string): unknown {
  try {
    return parsers[language](text);
  } catch {
    throw new OverrideFailure(`${fieldPath}: the text is not ${language}`);
  }
}

/** A document that is written again must not come out with other numbers than it had. */
function hasInexactNumber(value: unknown): boolean {
  if (typeof value === 'number')
    return !Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value));
  if (Array.isArray(value)) return value.some(hasInexactNumber);
  return isObject(value) && Object.values(value).some(hasInexactNumber);
}

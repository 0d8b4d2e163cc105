import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** How a field of a Go struct shows in JSON, found by its protobuf number. */
export interface GoField {
  readonly json: string;
  /** A pointer: its value counts whenever it is written, be it zero. */
  readonly pointer: boolean;
  readonly omitEmpty: boolean;
  readonly inline: boolean;
}

/** The structs of a Go package: struct name → protobuf field number → field. */
export function readGoTypes(folder: string): Map<string, Map<number, GoField>> {
  const structs = new Map<string, Map<number, GoField>>();
  for (const file of readdirSync(folder)) {
    if (!file.endsWith('.go') || file.endsWith('_test.go') || file.startsWith('generated.')) continue;
    const source = readFileSync(join(folder, file), 'utf8');
    for (const [, name = '', body = ''] of source.matchAll(/^type (\w+) struct \{\n(.*?)^\}/gms)) {
      structs.set(name, fieldsOf(body));
    }
  }
  return structs;
}

const fieldPattern = /^\t(?:\w+[ \t]+)?([*\w[\].]+)[ \t]*`json:"([^"]*)"[^`\n]*? protobuf:"\w+,(\d+)[^"\n]*"/gm;

function fieldsOf(body: string): Map<number, GoField> {
  const fields = new Map<number, GoField>();
  for (const [, type = '', tag = '', number = ''] of body.matchAll(fieldPattern)) {
    const [json = '', ...options] = tag.split(',');
    fields.set(Number(number), {
      json,
      pointer: type.startsWith('*'),
      omitEmpty: options.includes('omitempty') || options.includes('omitzero'),
      inline: options.includes('inline'),
    });
  }
  return fields;
}

import {
  boolYaml11Tag,
  constructFromEvents,
  dump,
  EVENT_ID,
  FAILSAFE_SCHEMA,
  floatYaml11Tag,
  intYaml11Tag,
  mergeTag,
  nullYaml11Tag,
  parseEvents,
  timestampTag,
} from 'js-yaml';
import type { Event } from 'js-yaml';
import { clone } from './json.ts';

/** YAML 1.1 as kubectl and kube-apiserver read it, less timestamps: a date is a text to Kubernetes. */
const schema = FAILSAFE_SCHEMA.withTags(mergeTag, nullYaml11Tag, boolYaml11Tag, intYaml11Tag, floatYaml11Tag);

/** For writing: other readers of YAML 1.1 take an unquoted date for a timestamp. */
const writtenSchema = schema.withTags(timestampTag);

/** Collections inside each other, aliases expanded: as many as the hub takes in JSON, and those of managedFields. */
const mostLevels = 520;
/** Aliased text, in characters. Go has no such bound; a long text that is repeated would expand without one. */
const mostAliasedText = 3 << 20;

/** The single document of a text in YAML or JSON; throws on none and on several. */
export function documentIn(text: string): unknown {
  const [document, ...more] = read(text);
  if (document === undefined) throw new Error('expected a document, but the input is empty');
  if (more.length > 0) throw new Error('expected a single document in the stream, but found more');
  return document.value;
}

/** All documents of a text in YAML or JSON; empty ones are left out. */
export function documentsIn(text: string): readonly unknown[] {
  return read(text)
    .map(({ value }) => value)
    .filter((value) => value !== null && value !== undefined && value !== '');
}

/** How a value is written. */
export interface YamlWords {
  /** Keys in alphabetical order and lists without indentation, as Go writes YAML; otherwise keys in their own order. */
  readonly asGo?: boolean;
}

/** A value as YAML. Texts that YAML 1.1 would read as something else are quoted. */
export function yamlOf(value: unknown, { asGo = false }: YamlWords = {}): string {
  const plain: unknown = JSON.parse(JSON.stringify(value));
  return dump(plain, { schema: writtenSchema, noRefs: true, lineWidth: -1, sortKeys: asGo, seqNoIndent: asGo });
}

/** Reads a text. No value has a part in common with another, so that a reader may write to what it gets. */
function read(text: string): readonly { readonly value: unknown }[] {
  const events = parseEvents(text, { maxDepth: mostLevels });
  const hasAliases = measure(text, events);
  return constructFromEvents(events, { source: text, schema }).map((value) => ({
    value: hasAliases ? clone(value) : value,
  }));
}

/** The size of a node after its aliases are expanded. */
interface Size {
  nodes: number;
  text: number;
  levels: number;
}

/** An anchored node; its size is unknown until it ends. */
interface Open extends Size {
  readonly anchor: string | undefined;
}

/**
 * Refuses documents that aliases would blow up, before anything is expanded: the rule and the words are those of the
 * YAML library of kube-apiserver. Answers whether there is any alias.
 */
function measure(source: string, events: readonly Event[]): boolean {
  let hasAliases = false;
  let document = new Measure();
  for (const event of events) {
    if (event.type === EVENT_ID.DOCUMENT) document = new Measure();
    if (event.type === EVENT_ID.ALIAS) hasAliases = true;
    document.take(event, source);
  }
  return hasAliases;
}

/** Follows the events of one document and sums up what they stand for. */
class Measure {
  readonly #open: Open[] = [];
  readonly #anchors = new Map<string, Size | undefined>();
  #decoded = 0;
  #aliased = 0;
  #aliasedText = 0;

  take(event: Event, source: string): void {
    switch (event.type) {
      case EVENT_ID.POP:
        return this.#end();
      case EVENT_ID.ALIAS:
        return this.#alias(source.slice(event.anchorStart, event.anchorEnd));
      case EVENT_ID.SCALAR:
        this.#begin(anchorOf(event, source), event.valueEnd - event.valueStart);
        return this.#end();
      case EVENT_ID.DOCUMENT:
        return this.#begin(undefined, 0);
      default:
        return this.#begin(anchorOf(event, source), 0);
    }
  }

  #begin(anchor: string | undefined, text: number): void {
    this.#open.push({ nodes: 1, text, levels: 1, anchor });
    if (anchor !== undefined) this.#anchors.set(anchor, undefined);
    this.#decoded++;
    this.#check();
  }

  #end(): void {
    const ended = this.#open.pop();
    if (!ended) return;
    if (ended.anchor !== undefined) this.#anchors.set(ended.anchor, ended);
    this.#add(ended);
  }

  #alias(name: string): void {
    const size = this.#anchors.get(name);
    if (!size) {
      if (this.#anchors.has(name)) throw new Error(`yaml: anchor '${name}' value contains itself`);
      throw new Error(`yaml: unknown anchor '${name}' referenced`);
    }
    this.#decoded += 1 + size.nodes;
    this.#aliased += size.nodes;
    this.#aliasedText += size.text;
    this.#add(size);
    this.#check();
  }

  #add({ nodes, text, levels }: Size): void {
    const parent = this.#open.at(-1);
    if (!parent) return;
    parent.nodes += nodes;
    parent.text += text;
    parent.levels = Math.max(parent.levels, levels + 1);
    // A scalar is a level here, and so is the document.
    if (parent.levels > mostLevels + 2) throw new Error(`yaml: nesting exceeds ${mostLevels} levels`);
  }

  #check(): void {
    const ratio = this.#aliased / this.#decoded;
    const many = this.#aliased > 100 && this.#decoded > 1000 && ratio > allowedRatio(this.#decoded);
    if (many || this.#aliasedText > mostAliasedText) throw new Error('yaml: document contains excessive aliasing');
  }
}

function anchorOf(event: { readonly anchorStart: number; readonly anchorEnd: number }, source: string) {
  return event.anchorStart < 0 ? undefined : source.slice(event.anchorStart, event.anchorEnd);
}

/** Up to these many nodes nearly all may come from aliases; from the second number on, a tenth. */
const [small, large] = [400_000, 4_000_000];

function allowedRatio(decoded: number): number {
  if (decoded <= small) return 0.99;
  return decoded >= large ? 0.1 : 0.99 - (0.89 * (decoded - small)) / (large - small);
}

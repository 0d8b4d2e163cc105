/**
 * Building blocks that know nothing of Kubernetes.
 * Nothing here does I/O, reads a clock or draws a random number.
 * Start with json.ts: every object of the product is a frozen JSON value.
 */
export { clone, equal, freeze, isDeeper, isObject } from './json.ts';
export type { Json, JsonObject } from './json.ts';
export { goJson, sortedGoJson } from './go-json.ts';
export {
  asMember,
  difference,
  elementsOf,
  hasField,
  intersection,
  isEmptySet,
  isFieldSet,
  isMember,
  isSubset,
  leaf,
  pathsOf,
  recursiveDifference,
  union,
  unionNodes,
} from './field-set.ts';
export type { FieldSet } from './field-set.ts';
export { fnv32a } from './hash.ts';
export { operationKind, PatchFailure, withOperations } from './json-patch.ts';
export type { PatchOperation } from './json-patch.ts';
export { evaluate, valuesAt } from './jsonpath/evaluate.ts';
export { parseJsonPath, parseTemplate } from './jsonpath/parse.ts';
export type { Path, Template } from './jsonpath/parse.ts';
export { TemplateError } from './jsonpath/scanner.ts';
export { hasMember, memberOf, setMember, sharedIfSame } from './members.ts';
export type { Members } from './members.ts';
export { perOwner, remembering } from './memo.ts';
export { Multimap } from './multimap.ts';
export { ContentHashes, isOfNewerVersion, useSha256 } from './content-hash.ts';
export { digest } from './digest.ts';
export { at, withAt } from './path.ts';
export { lookup, ownMember } from './prototype.ts';
export { BadRequestBytes, parseCertificationRequest } from './pkcs10.ts';
export type { CertificationRequest } from './pkcs10.ts';
export { priorities } from './queue/lanes.ts';
export type { Priority } from './queue/lanes.ts';
export { WorkQueue } from './queue/work-queue.ts';
export type { QueueClock, QueueMeter, WorkQueueOptions } from './queue/work-queue.ts';
export { share } from './share.ts';
export { longestTimer } from './timer.ts';
export { microTimestamp, timestamp } from './timestamp.ts';
export { uuidOf } from './uuid.ts';
export { documentIn, documentsIn, yamlOf } from './yaml.ts';

/**
 * A value that equals the given one, made of the model's parts wherever these are equal: what two objects have in
 * common is in memory once, and comparing it takes one step. Both must be frozen, and so is what comes back.
 */
export function share<T>(value: T, model: unknown): T {
  if (value === model) return model as T;
  if (typeof value !== 'object' || typeof model !== 'object' || value === null || model === null) return value;
  if (Array.isArray(value) !== Array.isArray(model)) return value;
  return sharePart(value as SharedPart, model as SharedPart) as T;
}

type SharedPart = Readonly<Record<string, unknown>>;

function sharePart(value: SharedPart, model: SharedPart): SharedPart {
  const parts: Record<string, unknown> = Array.isArray(value) ? ([] as unknown as Record<string, unknown>) : {};
  let [same, changed, count] = [true, false, 0];
  for (const key in value) {
    const part = share(value[key], model[key]);
    parts[key] = part;
    same &&= part === model[key];
    // Equal texts are one to the language, but two to the memory.
    changed ||= part !== value[key] || typeof part === 'string';
    count++;
  }
  if (same && count === sizeOf(model)) return model;
  return changed ? Object.freeze(parts) : value;
}

function sizeOf(part: SharedPart): number {
  if (Array.isArray(part)) return part.length;
  let size = 0;
  for (const _ in part) size++;
  return size;
}

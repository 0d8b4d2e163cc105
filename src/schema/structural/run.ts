import type { FieldError } from '../../api/index.ts';

/** One error with the steps that lead to its field, so that it can be looked up in another object. */
export interface Finding {
  readonly error: FieldError;
  readonly steps: readonly (string | number)[];
  /** Says something of the change itself, which an unchanged value does not excuse. */
  readonly transition?: boolean;
}

/** One walk of a validator over one object: where it stands and what it has found. */
export class Run {
  readonly path: (string | number)[] = [];
  findings: Finding[] = [];

  /** The field at which the walk stands, `spec.containers[0].name`; empty at the root. */
  field(): string {
    return fieldText(this.path);
  }

  /** Records an error of the field at which the walk stands. */
  fail(error: Omit<FieldError, 'field'>): void {
    this.findings.push({ error: { ...error, field: this.field() }, steps: [...this.path] });
  }

  /** As Kubernetes words what a schema finds: `spec.replicas in body should be greater than or equal to 0`. */
  invalid(value: unknown, words: string): void {
    this.fail({ type: 'invalid', value, detail: `${this.field()} in body ${words}` });
  }

  /** Records an error about a whole schema: it has no field, and Kubernetes prints `<nil>` for it. */
  failSchema(words: string): void {
    const error: FieldError = { type: 'invalid', field: '<nil>', value: '', detail: `"${this.field()}" ${words}` };
    this.findings.push({ error, steps: [...this.path] });
  }

  /** Takes over what another walk has found; there may be too many for the arguments of one call. */
  take(findings: readonly Finding[]): void {
    for (const finding of findings) this.findings.push(finding);
  }

  /** Does the work one step further down. */
  below(step: string | number, work: () => void): void {
    this.path.push(step);
    work();
    this.path.pop();
  }
}

/** `['spec', 'ports', 0, 'name']` → `spec.ports[0].name` */
export function fieldText(path: readonly (string | number)[]): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else text += text ? `.${step}` : step;
  }
  return text;
}

/** metav1.LabelSelector */
export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly LabelRequirement[];
}

/** One condition of a LabelSelector. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
  readonly values?: readonly string[];
}

/** Labels of an object; absent means none. */
export type Labels = Readonly<Record<string, string>> | undefined;

/**
 * Tells whether the selector selects these labels. An empty selector selects everything; an invalid one selects
 * nothing.
 */
export function selectsLabels(selector: LabelSelector, labels: Labels): boolean {
  const { matchLabels, matchExpressions } = selector;
  for (const key in matchLabels) if (labels?.[key] !== matchLabels[key]) return false;
  return !matchExpressions || matchExpressions.every((requirement) => meets(requirement, labels));
}

function meets({ key, operator, values }: LabelRequirement, labels: Labels): boolean {
  const value = labels?.[key];
  switch (operator) {
    case 'In':
      return value !== undefined && values?.includes(value) === true;
    case 'NotIn':
      return value === undefined || values?.includes(value) !== true;
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    default:
      operator satisfies never;
      return false;
  }
}

/** How an installation differs from the usual one. Every value is text or a number, so that a chart can put its own in. */
export interface InstallWords {
  readonly namespace: string;
  readonly image: string;
  readonly replicas: { readonly controllers: number | string; readonly webhook: number | string };
  /** `A=true,B=false`, for all roles. */
  readonly featureGates: string;
  readonly logLevel: string;
  readonly resources: { readonly controllers: object | string; readonly webhook: object | string };
  /** A ServiceMonitor and alert rules for the Prometheus operator. */
  readonly monitoring: boolean;
  /** Roles, webhooks, nodes and other kinds that rule the hub itself can be templates: controllers may then write them. */
  readonly privilegedTemplates: boolean;
  /** Where the hub calls the webhook; absent: a Service of the hub. */
  readonly webhookUrl?: string;
  /** Without programs the hub runs no Pods: they are started elsewhere. */
  readonly programs: boolean;
  /** Further kinds that can be templates, from definitions of the hub. */
  readonly templates: readonly TemplateKind[];
}

/** A resource whose objects can be templates. */
export interface TemplateKind {
  readonly group: string;
  readonly plural: string;
}

/** The usual installation of a version. */
export function usualWords(version: string): InstallWords {
  return {
    namespace: 'sluice-system',
    image: `ghcr.io/sluice/sluice:${version}`,
    replicas: { controllers: 2, webhook: 2 },
    featureGates: '',
    logLevel: 'info',
    resources: {
      controllers: { requests: { cpu: '250m', memory: '256Mi' }, limits: { memory: '2Gi' } },
      webhook: { requests: { cpu: '50m', memory: '128Mi' }, limits: { memory: '512Mi' } },
    },
    monitoring: false,
    privilegedTemplates: false,
    programs: true,
    templates: [],
  };
}

/** The names of the roles that run as programs; each is the name of its Deployment and of its account. */
export const programs = { controllers: 'sluice-controllers', webhook: 'sluice-webhook' } as const;
export type Program = keyof typeof programs;

/** The user as whom a program works on the hub. */
export const userOf = (program: Program, namespace: string): string =>
  `system:serviceaccount:${namespace}:${programs[program]}`;

/** Labels of everything that is installed. */
export const installedLabels = {
  'app.kubernetes.io/name': 'sluice',
  'app.kubernetes.io/part-of': 'sluice',
  'app.kubernetes.io/managed-by': 'sluice-install',
} as const;

/** The labels by which the Pods of a program are found. */
export const podLabels = (program: Program): Readonly<Record<string, string>> => ({
  'app.kubernetes.io/name': 'sluice',
  'app.kubernetes.io/component': program,
});

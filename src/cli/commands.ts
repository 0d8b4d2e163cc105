import type { Command } from 'commander';
import type { Io } from './io.ts';

/** The parts with which a command is made: its input and output, and a way to set an exit code other than 0. */
export interface Run {
  readonly io: Io;
  readonly exit: (code: number) => void;
}

/** Makes a command. */
export type MakeCommand = (run: Run) => Command;

/** A command as the list of commands knows it; its code is read only when it is called. */
export interface CommandEntry {
  readonly name: string;
  readonly group: CommandGroup;
  readonly summary: string;
  /** The least permissions on the hub, in one sentence of help; absent for commands that need none. */
  readonly needs?: string;
  readonly load: () => Promise<MakeCommand>;
}

/** The headings of help, in their order. */
export const commandGroups = ['Run', 'See', 'Plan and roll out', 'Members', 'Others'] as const;
/** The groups of commands in `sluice --help`. */
export type CommandGroup = (typeof commandGroups)[number];

/** Every command there is, in the order in which help lists them. */
export const commands: readonly CommandEntry[] = [
  {
    name: 'up',
    group: 'Run',
    summary: 'start the whole system: hub, controllers, dashboard and simulated members',
    load: async () => (await import('./commands/up.ts')).upCommand,
  },
  {
    name: 'agent',
    group: 'Run',
    summary: 'run the agent of a Pull member, beside it',
    load: async () => (await import('./commands/agent.ts')).agentCommand,
  },
  {
    name: 'controllers',
    group: 'Run',
    summary: 'run the controllers for a hub that is an existing kube-apiserver',
    load: async () => (await import('./commands/controllers.ts')).controllersCommand,
  },
  {
    name: 'webhook',
    group: 'Run',
    summary: 'serve admission for a hub that is an existing kube-apiserver',
    load: async () => (await import('./commands/webhook.ts')).webhookCommand,
  },
  {
    name: 'install',
    group: 'Run',
    summary: 'install Sluice on an existing kube-apiserver, or upgrade it',
    needs: 'cluster-admin on the hub',
    load: async () => (await import('./commands/install.ts')).installCommand,
  },
  {
    name: 'uninstall',
    group: 'Run',
    summary: 'remove Sluice from an existing kube-apiserver',
    needs: 'cluster-admin on the hub',
    load: async () => (await import('./commands/install.ts')).uninstallCommand,
  },
  {
    name: 'dashboard',
    group: 'Run',
    summary: 'serve the dashboard for a hub',
    load: async () => (await import('./commands/dashboard.ts')).dashboardCommand,
  },
  {
    name: 'store',
    group: 'Run',
    summary: 'check the store of a stopped hub, or salvage a damaged one',
    load: async () => (await import('./commands/store.ts')).storeCommand,
  },
  {
    name: 'backup',
    group: 'Run',
    summary: 'copy the state and the keys of a hub to one file, while it runs or not',
    load: async () => (await import('./commands/backup.ts')).backupCommand,
  },
  {
    name: 'restore',
    group: 'Run',
    summary: 'make the data directory of a hub from a backup',
    load: async () => (await import('./commands/restore.ts')).restoreCommand,
  },
  {
    name: 'status',
    group: 'See',
    summary: 'say what is in effect, pending, suspended, unhealthy or failing',
    needs: 'the ClusterRole sluice-viewer; with less it says what is hidden',
    load: async () => (await import('./commands/status.ts')).statusCommand,
  },
  {
    name: 'explain',
    group: 'See',
    summary: 'say which policy manages an object, and why these clusters',
    needs: 'the ClusterRole sluice-viewer; with less it says what is hidden',
    load: async () => (await import('./commands/explain.ts')).explainCommand,
  },
  {
    name: 'get',
    group: 'See',
    summary: 'list objects of members, with their cluster',
    needs:
      'permission to list clusters.cluster.karmada.io, and either to get clusters/proxy, and rights of your own in the members, or credentials of the members. The ClusterRole sluice-viewer has both on the hub',
    load: async () => (await import('./commands/get.ts')).getCommand,
  },
  {
    name: 'describe',
    group: 'See',
    summary: 'show everything about one object: policy, binding, Works, events',
    needs: 'the ClusterRole sluice-viewer; Works are shown to those who may list works.work.karmada.io',
    load: async () => (await import('./commands/describe.ts')).describeCommand,
  },
  {
    name: 'logs',
    group: 'See',
    summary: 'print the logs of a container in a member',
    needs:
      'permission to list clusters.cluster.karmada.io, to use clusters/proxy (get), and rights of your own in the member',
    load: async () => (await import('./commands/logs.ts')).logsCommand,
  },
  {
    name: 'exec',
    group: 'See',
    summary: 'run a command in a container of a member',
    needs:
      'permission to list clusters.cluster.karmada.io, to use clusters/proxy (get and create), and rights of your own in the member',
    load: async () => (await import('./commands/exec.ts')).execCommand,
  },
  {
    name: 'attach',
    group: 'See',
    summary: 'attach to the main process of a container in a member',
    needs:
      'permission to list clusters.cluster.karmada.io, to use clusters/proxy (get and create), and rights of your own in the member',
    load: async () => (await import('./commands/exec.ts')).attachCommand,
  },
  {
    name: 'top',
    group: 'See',
    summary: 'show what pods or nodes of members use',
    needs:
      'permission to list clusters.cluster.karmada.io, to use clusters/proxy (get), and rights of your own in the member',
    load: async () => (await import('./commands/top.ts')).topCommand,
  },
  {
    name: 'api-resources',
    group: 'See',
    summary: 'list the kinds that the hub serves',
    load: async () => (await import('./commands/api-resources.ts')).apiResourcesCommand,
  },
  {
    name: 'plan',
    group: 'Plan and roll out',
    summary: 'show what a change would do to running workloads; writes nothing',
    needs:
      'the ClusterRole sluice-viewer; it says what is hidden, and fails where a hidden template may be concerned and no other effect is seen',
    load: async () => (await import('./commands/plan.ts')).planCommand,
  },
  {
    name: 'interpret',
    group: 'Plan and roll out',
    summary: 'check the scripts of a customization, or say what they answer',
    load: async () => (await import('./commands/interpret.ts')).interpretCommand,
  },
  {
    name: 'migrate',
    group: 'Plan and roll out',
    summary: 'say what would differ if Sluice took over a hub of Karmada',
    needs: 'the ClusterRole sluice-viewer, permission to list works.work.karmada.io, and credentials of the members',
    load: async () => (await import('./commands/migrate.ts')).migrateCommand,
  },
  {
    name: 'snapshot',
    group: 'Plan and roll out',
    summary: 'print the state of the hub, for plan --snapshot',
    needs: 'the ClusterRole sluice-viewer, and permission to list the kinds of your templates',
    load: async () => (await import('./commands/snapshot.ts')).snapshotCommand,
  },
  {
    name: 'apply',
    group: 'Plan and roll out',
    summary: 'apply manifests to the hub, and place them',
    load: async () => (await import('./commands/apply.ts')).applyCommand,
  },
  {
    name: 'suspend',
    group: 'Plan and roll out',
    summary: 'stop sending what a policy manages, or a single object, to members',
    needs: 'the ClusterRole sluice-operator, or edit in the namespace of the object',
    load: async () => (await import('./commands/suspend.ts')).suspendCommand,
  },
  {
    name: 'resume',
    group: 'Plan and roll out',
    summary: 'send to members again',
    needs: 'the ClusterRole sluice-operator, or edit in the namespace of the object',
    load: async () => (await import('./commands/resume.ts')).resumeCommand,
  },
  {
    name: 'reconcile',
    group: 'Plan and roll out',
    summary: 'apply pending changes, batch after batch',
    needs:
      'the ClusterRole sluice-operator, or edit in the namespace of the object; its plan needs permission to list works.work.karmada.io',
    load: async () => (await import('./commands/reconcile.ts')).reconcileCommand,
  },
  {
    name: 'join',
    group: 'Members',
    summary: 'make a cluster a member',
    load: async () => (await import('./commands/join.ts')).joinCommand,
  },
  {
    name: 'user',
    group: 'Others',
    summary: 'make a kubeconfig for a user of the hub',
    load: async () => (await import('./commands/user.ts')).userCommand,
  },
  {
    name: 'token',
    group: 'Members',
    summary: 'make, list and delete tokens with which Pull members register',
    load: async () => (await import('./commands/token.ts')).tokenCommand,
  },
  {
    name: 'register',
    group: 'Members',
    summary: 'register a Pull member with a token, beside it',
    load: async () => (await import('./commands/register.ts')).registerCommand,
  },
  {
    name: 'unjoin',
    group: 'Members',
    summary: 'remove a member and delete what Sluice placed there',
    load: async () => (await import('./commands/unjoin.ts')).unjoinCommand,
  },
  {
    name: 'promote',
    group: 'Members',
    summary: 'adopt an object of a member as a template, with a policy',
    needs: 'permission to create the object and its policy on the hub, and to read the object in the member',
    load: async () => (await import('./commands/promote.ts')).promoteCommand,
  },
  {
    name: 'cordon',
    group: 'Members',
    summary: 'place nothing new on a member',
    load: async () => (await import('./commands/cordon.ts')).cordonCommand,
  },
  {
    name: 'uncordon',
    group: 'Members',
    summary: 'allow placements on a member again',
    load: async () => (await import('./commands/cordon.ts')).uncordonCommand,
  },
  {
    name: 'taint',
    group: 'Members',
    summary: 'set or remove taints of a member',
    load: async () => (await import('./commands/taint.ts')).taintCommand,
  },
  {
    name: 'label',
    group: 'Members',
    summary: 'set or remove labels of an object of the hub',
    load: async () => (await import('./commands/label.ts')).labelCommand,
  },
  {
    name: 'annotate',
    group: 'Members',
    summary: 'set or remove annotations of an object of the hub',
    load: async () => (await import('./commands/label.ts')).annotateCommand,
  },
  {
    name: 'completion',
    group: 'Others',
    summary: 'print the completion script of a shell',
    load: async () => (await import('./commands/completion.ts')).completionCommand,
  },
  {
    name: 'sim',
    group: 'Members',
    summary: 'inject faults into a simulated member, or remove them',
    load: async () => (await import('./commands/sim.ts')).simCommand,
  },
  {
    name: 'version',
    group: 'Others',
    summary: 'print the version of sluice and of the Node.js that runs it',
    load: async () => (await import('./commands/version.ts')).versionCommand,
  },
];

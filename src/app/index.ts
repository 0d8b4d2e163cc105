/**
 * The only place that wires rooms together: configuration, roles, composition.
 * It decides nothing and serves nothing itself.
 * Start with config.ts.
 */
export { inClusterConnection, startAgent } from './agent.ts';
export type { AgentOptions, RunningAgent } from './agent.ts';
export { clusterProxy } from './clusterproxy.ts';
export type { ClusterProxy } from './clusterproxy.ts';
export { addressOf, FlagError, gatesOf, membersOf, namesOf, readEncryption } from './config.ts';
export type { Address } from './config.ts';
export { backup, restorable, restore, salvage } from './backup.ts';
export type { BackupSummary } from './backup.ts';
export {
  authorityHash,
  discoverHub,
  infoSignature,
  obtainCertificate,
  obtainUserCertificate,
  writeUserKubeconfig,
} from './enrollment.ts';
export type { KubeconfigUser } from '../auth/index.ts';
export { ControlPlane } from './controlplane.ts';
export type { AgentRole, ControlPlaneOptions } from './controlplane.ts';
export { register } from './register.ts';
export type { Registration } from './register.ts';
export { controllerUser, ownTransport } from './transport.ts';
export { restAnswer } from './settled.ts';
export type { Rest } from './settled.ts';
export { up } from './up.ts';
export type { AuditLogFlags, Running, UpOptions } from './up.ts';
export { controlPath } from '../sim/index.ts';
export { checkStore } from '../store/index.ts';
export type { StoreLoss, StoreReport } from '../store/index.ts';
export type { FaultChange, Faults } from '../sim/index.ts';
export { controllersOf, runControllers } from './controllers.ts';
export type { ControllersOptions, RunningControllers } from './controllers.ts';
export {
  install,
  manifests,
  nameText,
  uninstall,
  userOf,
  usualWords,
  webhookConfigurations,
  whyNotUninstalled,
} from './install/index.ts';
export { foreignTemplates } from './kinds.ts';
export type { Installed, InstallWords } from './install/index.ts';
export { hubConnection, remoteHub } from './remote.ts';
export type { RemoteHub } from './remote.ts';
export { runWebhook } from './webhook.ts';
export type { RunningWebhook, WebhookOptions } from './webhook.ts';
export { createLogger } from '../observe/index.ts';

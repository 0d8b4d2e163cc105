/** The present state of templates and members, for `status`, `describe` and the dashboard. Start with template.ts. */
export { fleetOf, isManagedBy, taintText } from './fleet.ts';
export type { FleetReport, MemberReport, FleetSelection, Removal, StateTotals } from './fleet.ts';
export { isHidden, nothingHidden, permissionWords } from './hidden.ts';
export type { Hidden } from './hidden.ts';
export { movingText } from './moving.ts';
export type { Moving } from './moving.ts';
export { reportOn, templateStates } from './template.ts';
export type { ClusterReport, TemplateReport, TemplateState } from './template.ts';

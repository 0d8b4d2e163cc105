/**
 * The dashboard: `server` answers a browser with the rights of the person who logged in, `page` is what the browser runs.
 * It decides nothing and has no rules of its own: plans, reports and actions are those of the commands. Values of Secrets never leave the server.
 * Start with server/serve.ts; wire.ts has the JSON between server and page.
 */
export { openDashboard } from './server/serve.ts';
export type { Dashboard, DashboardOptions } from './server/serve.ts';

/** The dashboard for others, and in bad times: viewer, tenant, hostile contents, a member down, a hub that restarts, a small screen. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { configMap, deployment, policy } from '../kit/objects.ts';
import { expectAccessible, liveSystem, loginByKubeconfig, loginByToken, openBrowser, picture, visit } from './kit.ts';
import type { LiveSystem } from './kit.ts';

const longest = 'a'.repeat(63);
const arabic = 'اسم طويل';
const script = '<img src=x onerror="document.title=1">';

let system: LiveSystem;
let browser: Browser;
let admin: Page;
let faults: string[];

beforeAll(async () => {
  [system, browser] = await Promise.all([liveSystem(), openBrowser()]);
  await system.create(
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } },
    policy('default', {
      scope: 'cluster',
      to: ['member1', 'member2'],
      select: [
        { apiVersion: 'apps/v1', kind: 'Deployment' },
        { apiVersion: 'v1', kind: 'ConfigMap' },
      ],
    }),
    deployment('web'),
    deployment(longest, { annotations: { note: script, text: arabic } }),
    configMap('data', { value: `${script} ${arabic}` }),
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'own', namespace: 'team' } },
  );
  ({ page: admin, faults } = await visit(browser));
  await loginByKubeconfig(admin, system);
});

afterAll(async () => {
  await browser?.close();
  await system?.close();
});

describe('Names and contents of others', () => {
  test('are shown as text, however long and in whatever direction', async () => {
    await admin.goto(`${system.url}/template?apiVersion=apps/v1&kind=Deployment&namespace=default&name=${longest}`);
    await admin.getByRole('heading', { level: 1, name: longest }).waitFor();
    await admin.getByText(arabic).first().waitFor();
    expect(await admin.locator('img[src="x"]').count()).toBe(0);
    expect(await admin.title()).toBe('Sluice');
    await expectAccessible(admin);
  });

  test('do not make a screen wider than it is', async () => {
    for (const place of ['/', '/templates', '/policies', '/plan', '/waiting', '/timeline']) {
      await admin.goto(system.url + place);
      await admin.locator('.loading').waitFor({ state: 'detached' });
      const excess = await admin.evaluate(() => {
        const { scrollWidth, clientWidth } = (
          globalThis as unknown as { document: { documentElement: { scrollWidth: number; clientWidth: number } } }
        ).document.documentElement;
        return scrollWidth - clientWidth;
      });
      expect(excess, place).toBeLessThanOrEqual(0);
    }
  });
});

describe('A viewer', () => {
  test('plans, and is refused by the hub when applying', async () => {
    const { page, context } = await visit(browser);
    await loginByToken(page, system.url, await system.tokenOf('viewer', 'sluice-viewer'));
    await page.goto(`${system.url}/plan`);
    await page.getByLabel('Open a policy', { exact: true }).selectOption('default');
    await page.getByRole('button', { name: 'member1', exact: true }).click();
    await page.getByRole('button', { name: 'Deployment/web' }).waitFor();
    await page.getByRole('button', { name: 'Apply…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Apply', exact: true }).click();
    await page
      .getByRole('alert')
      .getByText(/cannot update/)
      .waitFor();
    await context.close();
  });
});

describe('A tenant', () => {
  test('sees the own namespace, and is told that more is hidden', async () => {
    const { page, context } = await visit(browser);
    await loginByToken(page, system.url, await system.tokenOf('tenant', 'view', 'team'));
    await page.getByText('Some objects are hidden from you').waitFor();
    await page.getByText('Some objects are hidden from you').click();
    await page.getByText(/hidden from you: clusters/).waitFor();
    expect(await page.getByText('web').count()).toBe(0);
    await context.close();
  });

  test('without a session any more is asked to log in again, and comes back to the same place', async () => {
    const { page, context } = await visit(browser);
    await loginByToken(page, system.url, await system.tokenOf('leaving', 'view', 'team'));
    await page.goto(`${system.url}/policies`);
    await page.getByRole('button', { name: 'Log out' }).waitFor();
    await context.clearCookies();
    await page.getByRole('link', { name: 'Timeline' }).click();
    await page.waitForURL(/\/login\?back=%2F/);
    await context.close();
  });
});

test('A member that goes down is seen at once, with what waits for it, and so is its return', async () => {
  await admin.goto(system.url);
  await system.run('sim', 'member2', '--down');
  const row = admin.getByRole('region', { name: 'Members' }).getByRole('row', { name: /member2/ });
  await row.getByText('not ready').waitFor({ timeout: 90_000 });
  await picture(admin, 'member-down');
  await system.run('sim', 'member2', '--reset');
  await row.getByText('ready', { exact: true }).waitFor({ timeout: 90_000 });
});

test('A screen for a phone has all there is to read', async () => {
  const { page, context } = await visit(browser);
  await page.setViewportSize({ width: 390, height: 844 });
  await loginByKubeconfig(page, system);
  await page.getByRole('region', { name: 'What runs where' }).waitFor();
  await picture(page, 'phone');
  await page.goto(`${system.url}/templates`);
  await page.getByRole('link', { name: /web/ }).first().waitFor();
  await expectAccessible(page);
  await context.close();
});

test('After a restart of the system the page says that it is gone, and asks to log in when it is back', async () => {
  await admin.goto(system.url);
  await admin.getByRole('heading', { name: 'Fleet' }).waitFor();
  await system.stop();
  await admin.getByText('The dashboard server does not answer').waitFor();
  await system.start();
  await admin.waitForURL(/\/login/, { timeout: 60_000 });
  await loginByKubeconfig(admin, system);
});

test('No screen reported an error', () => {
  expect(faults).toEqual([]);
});

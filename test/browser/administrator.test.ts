/** The administrator's day at the dashboard: from an empty hub to a change that is planned, applied, suspended and activated. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser, Page } from 'playwright-core';
import { configMap, deployment, policy } from '../kit/objects.ts';
import { expectAccessible, liveSystem, openBrowser, picture, visit } from './kit.ts';
import type { LiveSystem } from './kit.ts';

let system: LiveSystem;
let browser: Browser;
let page: Page;
let faults: string[];

beforeAll(async () => {
  [system, browser] = await Promise.all([liveSystem(), openBrowser()]);
  ({ page, faults } = await visit(browser));
});

afterAll(async () => {
  await browser?.close();
  await system?.close();
});

const effects = (): ReturnType<Page['getByRole']> => page.getByRole('region', { name: 'Effects' });
const count = (label: string): ReturnType<Page['locator']> =>
  page.getByTestId('counts').locator('div', { hasText: label }).locator('b');
const member = (name: string): ReturnType<Page['getByRole']> =>
  page.getByRole('region', { name: 'Manifests' }).getByRole('button', { name, exact: true });

test('The link of the first screen logs in and shows an empty fleet that says what to do', async () => {
  await page.goto(system.link);
  await page.getByText('Nothing is placed yet').waitFor();
  for (const name of ['member1', 'member2', 'member3']) await page.getByRole('link', { name, exact: true }).waitFor();
  await expectAccessible(page);
});

test('The example app is planned, applied and seen in the fleet', async () => {
  await page.getByRole('link', { name: 'Plan the example app' }).click();
  await page.getByRole('button', { name: 'Deployment/web' }).waitFor();
  expect(await count('created').textContent()).toBe('2');
  await page.getByRole('button', { name: 'Apply…' }).click();
  await page.getByText('It takes nothing away from a member').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Apply', exact: true }).click();
  await page.getByText('Deployment/web created').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('link', { name: 'Fleet' }).click();
  await page.getByRole('link', { name: /^shop, member1: 1 template/ }).waitFor();
});

test('A colleague finds out in a few clicks what happens if member1 is taken out of the default policy', async () => {
  await system.create(
    policy('default', {
      scope: 'cluster',
      to: ['member1', 'member2'],
      select: [{ apiVersion: 'apps/v1', kind: 'Deployment' }],
    }),
    deployment('api', { replicas: 4 }),
    deployment('worker'),
    configMap('settings'),
  );
  await page.getByRole('link', { name: 'Plan a change' }).first().click();
  await page.getByLabel('Open a policy', { exact: true }).selectOption('default');
  await member('member1').click();
  await page.getByRole('button', { name: 'Deployment/api' }).waitFor();
  expect(await count('deleted').textContent()).toBe('2');
  expect(await effects().textContent()).toContain('member1');
  await expectAccessible(page);
  await picture(page, 'plan');
});

test('A template of a plan is compared in each member, before and after', async () => {
  await page.getByRole('button', { name: 'Deployment/api' }).click();
  const dialog = page.getByRole('dialog', { name: 'Before and after: Deployment/api' });
  await dialog.getByRole('button', { name: 'member1 delete' }).waitFor();
  await dialog.getByText('replicas: 4').first().waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
});

test('A manifest that the hub would refuse is marked while it is typed, and cannot be applied', async () => {
  const editor = page.getByRole('textbox', { name: 'Manifests' });
  await editor.click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(
    'apiVersion: policy.karmada.io/v1alpha1\nkind: ClusterPropagationPolicy\nmetadata:\n  name: default\nspec:\n  resourceSelectors: []\n',
  );
  await page.getByText('The hub would refuse this change').waitFor();
  expect(await page.getByRole('button', { name: 'Apply…' }).isDisabled()).toBe(true);
});

test('Keys and members are completed by the schema and the fleet', async () => {
  const editor = page.getByRole('textbox', { name: 'Manifests' });
  await editor.click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(
    'apiVersion: policy.karmada.io/v1alpha1\nkind: ClusterPropagationPolicy\nmetadata:\n  name: default\nspec:\n  ',
  );
  await page.keyboard.type('plac');
  await page.getByRole('option', { name: /^placement/ }).waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
});

test('A pending change is activated in batches from the page', async () => {
  await system.create(
    policy('lazy', { to: 'member1', lazy: true, select: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'settings' }] }),
  );
  await page.getByRole('link', { name: /^Waiting/ }).click();
  const row = page.getByRole('row', { name: /settings/ });
  await row.getByRole('button', { name: 'Activate…' }).click();
  await picture(page, 'activate');
  await page.getByRole('dialog').getByRole('button', { name: 'Activate' }).click();
  await page.getByRole('region', { name: 'Activated' }).waitFor();
  await page.getByText('1 of 1 in effect').first().waitFor();
  await row.waitFor({ state: 'detached' });
});

test('A workload is suspended with reason and end, and resumed', async () => {
  await page.goto(`${system.url}/template?apiVersion=apps/v1&kind=Deployment&namespace=default&name=api`);
  await page
    .getByRole('region', { name: /^1 · / })
    .getByRole('link', { name: 'default' })
    .waitFor();
  await page.getByRole('button', { name: 'Suspend…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('member2').check();
  await dialog.getByLabel('Reason').fill('freeze before the release');
  await dialog.getByLabel('Until').fill('2h');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Suspend' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('freeze before the release').first().waitFor();
  await picture(page, 'template');
  await page.getByRole('link', { name: /^Waiting/ }).click();
  await picture(page, 'waiting');
  await page.getByRole('button', { name: 'Resume…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Resume' }).click();
  await page.getByText('Nothing is suspended.').waitFor();
});

test.each([
  ['/', 'Fleet'],
  ['/templates', 'Templates'],
  ['/policies', 'Policies'],
  ['/policy?apiVersion=policy.karmada.io/v1alpha1&kind=ClusterPropagationPolicy&name=default', 'default'],
  ['/template?apiVersion=apps/v1&kind=Deployment&namespace=default&name=api', 'api'],
  ['/waiting', 'Pending & suspended'],
  ['/timeline', 'Timeline'],
  ['/plan', 'Plan a change'],
])('%s is reached by its address, and is accessible in both themes', async (place, heading) => {
  await page.goto(system.url + place);
  await page.getByRole('heading', { level: 1, name: heading }).waitFor();
  await page.locator('.loading').waitFor({ state: 'detached' });
  await expectAccessible(page);
  await picture(page, `screen-${heading.toLowerCase().replaceAll(/\W+/g, '-')}`);
  await page.getByRole('button', { name: 'Switch between light and dark' }).click();
  await expectAccessible(page);
  await picture(page, `dark-${heading.toLowerCase().replaceAll(/\W+/g, '-')}`);
  await page.getByRole('button', { name: 'Switch between light and dark' }).click();
});

test('The palette finds a template by its name, with the keyboard alone', async () => {
  await page.goto(system.url);
  await page.getByRole('heading', { name: 'Fleet' }).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('worker');
  await page.getByRole('option', { name: /worker Deployment/ }).waitFor();
  await picture(page, 'palette');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: /worker/ }).waitFor();
  await page.goBack();
  await page.getByRole('heading', { name: 'Fleet' }).waitFor();
});

test('No screen reported an error', () => {
  expect(faults).toEqual([]);
});

import { forbiddenField, interpreterOperations, invalidValue, notSupported, required } from '../../api/index.ts';
import { whyNotScript } from '../interpret/scripts/check.ts';
import { at, entries, isSet, items, numberOf, root, textOf } from './place.ts';
import type { Faults, Place } from './place.ts';
import { checked, duplicates, whyNotDnsSubdomain } from './syntax.ts';

const operations: readonly string[] = interpreterOperations;
const contextVersion = 'v1alpha1';

/** ResourceInterpreterCustomization: one answer to a question about a kind, dependencies excepted. */
export function* customizationFaults(customization: Place, others: readonly unknown[]): Faults {
  const target = at(customization, 'spec', 'target');
  for (const part of [at(target, 'apiVersion'), at(target, 'kind')]) {
    if (part.value === '') yield required(part.path, 'write the kind that the scripts are for');
  }
  const customizations = at(customization, 'spec', 'customizations');
  for (const [question] of entries(customizations)) {
    const rule = at(customizations, question);
    const script = at(rule, 'luaScript');
    if (script.value === '') yield required(script.path, 'write a script, or leave out the question');
    else yield* scriptFaults(script);
    const rival = rivalOf(customization, question, others);
    const detail = `${rival} answers this for the same kind already: leave it out in one of the two`;
    if (rival !== undefined) yield forbiddenField(rule.path, detail);
  }
}

/** A script that does not compile. */
function* scriptFaults(script: Place): Faults {
  const failure = whyNotScript(textOf(script));
  if (failure !== undefined) yield invalidValue(script.path, textOf(script), failure);
}

/** The name of another customization that answers the same question about the same kind. */
function rivalOf(customization: Place, question: string, others: readonly unknown[]): string | undefined {
  if (question === 'dependencyInterpretation') return undefined;
  const name = textOf(at(customization, 'metadata', 'name'));
  const rival = others.map(root).find((other) => {
    const itself = textOf(at(other, 'metadata', 'name')) === name;
    const sameKind = ['apiVersion', 'kind'].every(
      (part) => at(other, 'spec', 'target', part).value === at(customization, 'spec', 'target', part).value,
    );
    return !itself && sameKind && isSet(at(other, 'spec', 'customizations', question));
  });
  return rival && textOf(at(rival, 'metadata', 'name'));
}

/** ResourceInterpreterWebhookConfiguration. */
export function* webhooksFaults(configuration: Place): Faults {
  const webhooks = items(at(configuration, 'webhooks'));
  yield* duplicates(
    webhooks.map((webhook) => at(webhook, 'name')),
    textOf,
  );
  for (const webhook of webhooks) yield* webhookFaults(webhook);
}

function* webhookFaults(webhook: Place): Faults {
  yield* checked(at(webhook, 'name'), whyNotQualified);
  const timeout = at(webhook, 'timeoutSeconds');
  const seconds = numberOf(timeout) ?? 1;
  if (seconds < 1 || seconds > 30) yield invalidValue(timeout.path, timeout.value, 'must be from 1 to 30');
  const client = at(webhook, 'clientConfig');
  const [url, service] = [at(client, 'url'), at(client, 'service')];
  if (isSet(url) === isSet(service)) yield required(client.path, 'write exactly one of url and service');
  if (isSet(url) && !/^https:\/\/[^/?#@]+/.test(textOf(url))) {
    yield invalidValue(url.path, url.value, 'must start with https:// and a host');
  }
  for (const rule of items(at(webhook, 'rules'))) yield* ruleFaults(rule);
  const versions = at(webhook, 'interpreterContextVersions');
  if (!items(versions).some((version) => version.value === contextVersion)) {
    yield invalidValue(versions.path, versions.value ?? [], `must include ${contextVersion}`);
  }
}

function whyNotQualified(name: string): string | undefined {
  if (name.split('.').length < 3) return 'must be fully qualified: write name.example.com';
  return whyNotDnsSubdomain(name);
}

function* ruleFaults(rule: Place): Faults {
  for (const name of ['operations', 'apiGroups', 'apiVersions', 'kinds']) {
    const list = at(rule, name);
    const all = items(list);
    if (all.length === 0) yield required(list.path, 'write at least one, or *');
    if (all.length > 1 && all.some((item) => item.value === '*')) {
      yield invalidValue(list.path, list.value, 'must be * alone, or no *');
    }
  }
  for (const operation of items(at(rule, 'operations'))) {
    if (!operations.includes(textOf(operation))) yield notSupported(operation.path, operation.value, operations);
  }
}

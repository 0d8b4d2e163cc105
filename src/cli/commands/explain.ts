import { Command } from 'commander';
import { keyOf } from '../../api/index.ts';
import type { Ref } from '../../api/index.ts';
import { explain, isPropagated, isTemplateKind } from '../../engine/index.ts';
import type { Explanation } from '../../engine/index.ts';
import { absenceOf, nameOf } from '../change.ts';
import type { Run } from '../commands.ts';
import { connecting, namespaceOption, withHub } from '../connect.ts';
import type { HubFlags } from '../connect.ts';
import { Failure } from '../failure.ts';
import { findTarget } from '../kinds.ts';
import { withMembers } from '../members.ts';
import { explanationText } from '../print/explain.ts';
import { outputOption, printed } from '../print/output.ts';
import { tellHidden } from '../world/hidden.ts';
import { fetchWith, foundWorld } from '../world/state.ts';

interface ExplainFlags extends HubFlags {
  readonly namespace?: string;
  readonly output: string;
}

/** `sluice explain` */
export function explainCommand(run: Run): Command {
  return connecting(new Command('explain'))
    .description(
      'Explain which policy manages an object, which others lost and by which rule, why these clusters were chosen and the others not, and which changes are pending.',
    )
    .argument('<KIND/NAME>', 'an object of the hub: deployment/nginx')
    .addOption(namespaceOption())
    .addOption(outputOption('json', 'yaml'))
    .addHelpText(
      'after',
      `
Examples:
  sluice explain deployment/nginx -n shop
  sluice explain configmap/settings -o json
`,
    )
    .action((word: string, flags: ExplainFlags) => runExplain(word, flags, run));
}

async function runExplain(word: string, flags: ExplainFlags, { io }: Run): Promise<void> {
  const explanation = await withHub(flags, io, async (hub): Promise<Explanation> => {
    const ref = await findTarget(hub, word, flags.namespace ?? hub.namespace);
    if (!isTemplateKind(ref)) throw notPropagated(ref, word);
    const snapshot = await withMembers(hub, flags.timeout, (members) => fetchWith(hub, members, ref));
    tellHidden(io, snapshot);
    const world = foundWorld(snapshot);
    const object = world.get(keyOf(ref));
    if (object && !isPropagated(object)) throw notPropagated(ref, word);
    const found = explain(world, ref, snapshot.hidden);
    if (!found) throw new Failure(absenceOf(ref));
    return found;
  });
  if (!printed(io, flags.output, explanation)) io.out(explanationText(explanation, io));
}

function notPropagated(ref: Ref, word: string): Failure {
  return new Failure(
    `${nameOf(ref)} is not propagated, so there is nothing to explain: try \`sluice describe ${word}\``,
  );
}

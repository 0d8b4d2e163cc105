/**
 * The fuzzer as a program.
 *   npm run fuzz -- --requests 100000          on a hub in this process, without sockets and controllers
 *   npm run fuzz -- --minutes 30               on a hub of its own: `sluice up` with members, over HTTPS
 *   npm run fuzz -- --only SEED                one request, shown and sent
 * `--rest M` waits so many minutes (5) before each reading of the hub's memory, `--snapshots FOLDER` keeps its heap.
 * `--seed S` chooses the run, `--from N` skips requests, `--report FILE` writes the result as JSON.
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { runHere } from './here.ts';
import { runOnHub } from './there.ts';
import { filledIn, wordsOf } from './campaign.ts';
import { requestOf } from './request.ts';
import { openWorld } from './world.ts';

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    minutes: { type: 'string' },
    rest: { type: 'string', default: '5' },
    snapshots: { type: 'string' },
    seed: { type: 'string' },
    from: { type: 'string', default: '0' },
    only: { type: 'string' },
    data: { type: 'string' },
    report: { type: 'string' },
  },
});

const seed = Number(values.seed ?? Date.now() % 1_000_000_000);
const from = Number(values.from);

async function one(only: number): Promise<void> {
  const request = requestOf(only);
  console.log(wordsOf(request));
  const world = await openWorld(':memory:');
  const { outgoing } = await filledIn(world.send, request);
  console.log(await world.send(outgoing));
  await world.close();
}

if (values.only !== undefined) await one(Number(values.only));
else {
  console.log(`seed ${seed}: repeat with --seed ${seed}`);
  const result =
    values.minutes === undefined
      ? await runHere({ seed, from, requests: Number(values.requests), folder: values.data })
      : await runOnHub({
          seed,
          from,
          minutes: Number(values.minutes),
          rest: Number(values.rest),
          snapshots: values.snapshots,
        });
  console.log(result.words);
  if (values.report) await writeFile(values.report, JSON.stringify(result.figures, undefined, 1));
  if (!result.good) process.exitCode = 1;
}

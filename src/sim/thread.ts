import { parentPort } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import { Host } from './host.ts';
import type { HostOptions } from './host.ts';
import type { Message, ThreadQuestion } from './messages.ts';
import type { Faults } from './faults/faults.ts';

/** Runs a member and answers its parent; resolves when the member is ready or has failed to start. */
export async function serveMember(options: HostOptions): Promise<void> {
  const port = parentPort;
  if (!port) throw new Error('a simulated member runs in a worker thread');
  const say = (message: Message): void => port.postMessage(message);
  try {
    const host = await Host.open(options, (error) => say({ say: 'trouble', message: textOf(error) }));
    port.on('message', (question: ThreadQuestion) => void answer(host, port, question));
    say({ say: 'ready', facts: host.facts });
  } catch (error) {
    say({ say: 'failed', message: error instanceof Error ? error.message : String(error) });
  }
}

async function answer(host: Host, port: MessagePort, question: ThreadQuestion): Promise<void> {
  const { id } = question;
  try {
    const faults = await obey(host, question);
    await host.settled();
    port.postMessage({ say: 'answer', id, faults } satisfies Message);
  } catch (error) {
    port.postMessage({ say: 'answer', id, failure: textOf(error) } satisfies Message);
  }
  if (question.ask === 'close') port.close();
}

async function obey(host: Host, question: ThreadQuestion): Promise<Faults> {
  switch (question.ask) {
    case 'faults':
      return host.faults();
    case 'change':
      return host.change(question.change);
    case 'reset':
      return host.reset();
    case 'close':
      await host.close();
      return host.faults();
    default:
      return question satisfies never;
  }
}

const textOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));

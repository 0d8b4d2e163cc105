import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { processIo } from './io.ts';
import { coloursOf } from './print/colour.ts';

type Stream = NodeJS.Process['stdout'] & NodeJS.Process['stdin'];
const pipe = (): Stream => new PassThrough() as unknown as Stream;
const terminal = (columns = 80): Stream =>
  Object.assign(new PassThrough(), { isTTY: true, columns }) as unknown as Stream;
const on = (stream: () => Stream, env: NodeJS.ProcessEnv = {}): ReturnType<typeof processIo> =>
  processIo({ stdout: stream(), stderr: stream(), stdin: stream(), env });

describe('the ways in which a command may use its output', () => {
  it('colours, asks and shows progress on a terminal', () => {
    expect(on(terminal, { TERM: 'xterm' })).toMatchObject({
      colour: true,
      progress: true,
      interactive: true,
      columns: 80,
    });
  });

  it('does none of it in a pipe, whatever the environment says of colours', () => {
    const io = on(pipe, { FORCE_COLOR: '1', CI: 'true' });
    expect(io).toMatchObject({ colour: false, progress: false, interactive: false, columns: undefined });
    expect(coloursOf(io).good('yes')).toBe('yes');
  });

  it('keeps to one colour where the user wants no other', () => {
    expect(on(terminal, { NO_COLOR: '1' })).toMatchObject({ colour: false, progress: true, interactive: true });
  });

  it('moves no cursor on a terminal that cannot', () => {
    expect(on(terminal, { TERM: 'dumb' })).toMatchObject({ colour: false, progress: false, interactive: true });
  });

  it('does not ask where nobody can answer', () => {
    const io = processIo({ stdout: terminal(), stderr: terminal(), stdin: pipe(), env: {} });
    expect(io).toMatchObject({ colour: true, interactive: false });
  });
});

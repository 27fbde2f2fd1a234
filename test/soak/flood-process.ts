import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Flooding, Tally } from './flood.js';

/** A flood in a process of its own, so that whoever takes times does not share its event loop. */
export const startFlood = (
  flooding: Flooding,
  port: number,
  bounds: { readonly count: number; readonly addresses: number },
) => {
  const program = fileURLToPath(new URL('flood.main.js', import.meta.url));
  const child = fork(program, [flooding, String(port), String(bounds.count), String(bounds.addresses)]);
  const ended = once(child, 'exit');
  return {
    tally: async (): Promise<Tally> => {
      child.send('tally');
      const [tally] = (await once(child, 'message')) as [Tally];
      return tally;
    },
    /** Ends it with all its connections. */
    stop: async (): Promise<void> => {
      child.kill('SIGKILL');
      await ended;
    },
  };
};

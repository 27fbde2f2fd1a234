import { Forked } from '../support/forked.js';
import type { Flooding, Tally } from './flood.js';

/** A flood in a process of its own, so that whoever takes times does not share its event loop. */
export const startFlood = (
  flooding: Flooding,
  port: number,
  bounds: { readonly count: number; readonly addresses: number },
) => {
  const args = [flooding, String(port), String(bounds.count), String(bounds.addresses)];
  const flood = new Forked('test/soak/flood.main.js', args);
  return {
    tally: (): Promise<Tally> => flood.ask('tally'),
    /** Ends it with all its connections. */
    stop: (): Promise<void> => flood.end(),
  };
};

import fc from 'fast-check';
import { type Lived, livedThrough } from './life.js';
import { type Script, scripts } from './script.js';

export interface Life extends Lived {
  readonly seed: number;
}

/** The script of a seed, always the same. */
export const scriptOf = (seed: number): Script => {
  const [script] = fc.sample(scripts, { seed, numRuns: 1 });
  if (!script) throw new Error(`seed ${seed} has no script`);
  return script;
};

/** Lives through the script of a seed: the same script, the same faults in the same places, the same log. */
export const liveSeed = async (seed: number): Promise<Life> => ({ seed, ...(await livedThrough(scriptOf(seed))) });

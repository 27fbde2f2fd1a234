import { type Lived, livedThrough } from './life.js';
import type { Script } from './script.js';

const TRIES = 1_500;

export interface Shrunk {
  readonly script: Script;
  readonly lived: LivedShortly;
}

type LivedShortly = Pick<Lived, 'findings' | 'history'>;

/** The shortest script that goes wrong in the same way, each candidate tried under a few seeds of its own. */
export const shrunk = async (
  script: Script,
  live: (script: Script) => Promise<LivedShortly> = (one) => livedThrough(one, true),
): Promise<Shrunk> => {
  let tries = 0;
  let best = { script, lived: await live(script) };
  const goesWrong = async (candidate: Script): Promise<boolean> => {
    for (const seed of [candidate.seed, 1, 2]) {
      if (tries >= TRIES) return false;
      tries += 1;
      const tried = { ...candidate, seed };
      const lived = await live(tried);
      if (lived.findings.length === 0) continue;
      best = { script: tried, lived };
      return true;
    }
    return false;
  };
  for (let isShorter = true; isShorter && tries < TRIES;) {
    isShorter = false;
    for (const candidate of shorter(best.script)) {
      if (!(await goesWrong(candidate))) continue;
      isShorter = true;
      break;
    }
  }
  return best;
};

/** Scripts with something less, the least of them first. */
function* shorter(script: Script): Generator<Script> {
  const { strands, trouble } = script;
  for (const [place, strand] of strands.entries())
    if (strand.length > 0) yield { ...script, strands: strands.with(place, []) };
  const calm = { lines: 0, slow: 0, deaths: 0, stalls: 0 };
  if (Object.values(trouble).some((share) => share > 0)) yield { ...script, trouble: calm };
  for (const name of ['lines', 'slow', 'deaths', 'stalls'] as const)
    if (trouble[name] > 0) yield { ...script, trouble: { ...trouble, [name]: 0 } };
  if (script.skews.some((skew) => skew !== 0)) yield { ...script, skews: script.skews.map(() => 0) };
  if (script.isKnownToLive) yield { ...script, isKnownToLive: false };
  for (const [place, strand] of strands.entries())
    for (let size = strand.length >> 1; size >= 1; size >>= 1)
      for (let from = 0; from < strand.length; from += size)
        yield { ...script, strands: strands.with(place, strand.toSpliced(from, size)) };
}

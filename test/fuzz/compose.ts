import { type Big, bigRequest } from './big.js';
import { ELSEWHERE, otherRequest } from './elsewhere.js';
import { mangled } from './mangled.js';
import { Random } from './random.js';
import { type Composed, restRequest, toolRequest } from './requests.js';
import type { Operation, Surface } from './surface.js';
import type { World } from './world.js';

/** What seed and number alone decide. */
const choices = (seed: number, at: number, salt: number): Random =>
  new Random(Math.imul(seed, 0x9e3779b1) ^ Math.imul(at + 1, salt));

const askingOf = (random: Random, world: World) => ({ random, world, actor: random.pick(world.actors) });

/** What creates something, and so decides the most. */
const creates = ({ method, path }: Operation): boolean => method === 'POST' && !path.endsWith('/call');

/** The request of a number: seed and number decide what is chosen, among what there is by then. */
export const composedAt = (seed: number, at: number, world: World, surface: Surface): Composed => {
  const random = choices(seed, at, 0x85ebca6b);
  const asking = askingOf(random, world);
  const { described, doors, tools } = surface;
  const place = random.next();
  const composed =
    place < 0.5
      ? restRequest(asking, random.pick(random.chance(0.3) ? described.filter(creates) : described))
      : place < 0.75
        ? toolRequest(asking, random.pick(doors), random.pick(tools))
        : otherRequest(asking, random.pick(random.chance(0.3) ? ELSEWHERE.slice(0, 4) : ELSEWHERE));
  if (!random.chance(0.08)) return composed;
  return { ...composed, sent: mangled(random, composed.sent), isMangled: true };
};

/** The same for a request as long as may be. */
export const bigAt = (seed: number, at: number, world: World, surface: Surface): Big => {
  const random = choices(seed, at, 0xc2b2ae35);
  const { described, doors, tools } = surface;
  const operation = random.pick(random.pick([described, doors, ELSEWHERE]));
  return bigRequest(askingOf(random, world), operation, random.pick(tools));
};

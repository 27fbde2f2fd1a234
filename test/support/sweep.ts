import process from 'node:process';

/** How far a sweep goes: a point of every kind in `npm test`, more in `npm run test:ci`, all in `npm run test:full`. */
type Extent = 'short' | 'middle' | 'full';

const asked = process.env['SWEEPS'] ?? 'short';
if (asked !== 'short' && asked !== 'middle' && asked !== 'full') throw new Error(`SWEEPS cannot be ${asked}`);
const extent: Extent = asked;

/** What this run takes of a sweep: how many rounds, or which points. */
export const swept = <Value>(byExtent: Readonly<Record<Extent, Value>>): Value => byExtent[extent];

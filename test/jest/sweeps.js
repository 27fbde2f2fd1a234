/** What goes further in `npm run test:ci`: `npm test` takes a few points of each (test/support/sweep.ts). */
const SWEPT = [
  'test/chaos',
  'test/jepsen',
  'test/fuzz',
  'test/audit',
  'test/storage',
  'test/simulation',
  'test/guards',
  'test/e2e/crash',
  'test/e2e/failed-start',
  'test/browser',
  'test/soak/connections',
  'test/hostile/cpu',
];

/** What `npm test` runs only where it is named: each start of a process of its own costs seconds. */
const ONLY_THERE = [
  'test/e2e/idempotency-crash',
  'test/e2e/building',
  'test/hostile/permissions',
  'test/hostile/neighbours', // compares times
  'test/deploy/image', // lays out all packages
];

const inRoot = (path) => `<rootDir>/${path}`;

const EVERYTHING = { testMatch: ['**/*.spec.ts'] };
const SWEEPS = { testMatch: [...SWEPT, ...ONLY_THERE].map((path) => inRoot(`${path}{/**/*,*}.spec.ts`)) };
const QUICK = { ...EVERYTHING, testPathIgnorePatterns: ['/node_modules/', ...ONLY_THERE.map(inRoot)] };

/** The options of Jest that say which files a run has. `extent`: how far sweeps go; `areNamed`: somebody says which files. */
export const chosen = (extent, areNamed) => {
  if (areNamed) return EVERYTHING;
  return ['middle', 'full'].includes(extent) ? SWEEPS : QUICK;
};

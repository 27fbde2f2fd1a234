/** What goes further in `npm run test:ci`: `npm test` takes a few points of each (test/support/sweep.ts). */
const SWEPT = ['test/audit/corruptions', 'test/guards', 'test/simulation/simulation'];

/** What `npm test` runs only where it is named: many processes, each of whose starts costs seconds, and what takes volume. */
const ONLY_THERE = [
  'apps/cli/src/backup',
  'libs/traffic/src/agent-traffic.spec',
  'libs/traffic/src/hostile-traffic',
  'libs/traffic/src/privacy',
  'test/browser',
  'test/build',
  'test/chaos',
  'test/deploy/image',
  'test/e2e/backup',
  'test/e2e/building',
  'test/e2e/challenge-time',
  'test/e2e/collector-down',
  'test/e2e/crash',
  'test/e2e/demo',
  'test/e2e/erase',
  'test/e2e/failed-start',
  'test/e2e/idempotency-crash',
  'test/e2e/keys',
  'test/e2e/openapi',
  'test/e2e/processes',
  'test/e2e/rebuild',
  'test/e2e/put-back',
  'test/e2e/registry',
  'test/e2e/replay',
  'test/e2e/start.spec',
  'test/e2e/stop',
  'test/e2e/traffic.spec',
  'test/fuzz',
  'test/hostile/clock',
  'test/hostile/connections',
  'test/hostile/cpu',
  'test/hostile/file-size',
  'test/hostile/neighbours',
  'test/hostile/permissions',
  'test/hostile/unread',
  'test/jepsen',
  'test/simulation/judge',
  'test/soak',
  'test/storage',
];

const inRoot = (path) => `<rootDir>/${path}`;

const EVERYTHING = { testMatch: ['**/*.spec.ts'] };
const SWEEPS = {
  testMatch: [...SWEPT, ...ONLY_THERE].map((path) =>
    inRoot(path.endsWith('.spec') ? `${path}.ts` : `${path}{/**/*,*}.spec.ts`),
  ),
};
const QUICK = { ...EVERYTHING, testPathIgnorePatterns: ['/node_modules/', ...ONLY_THERE.map(inRoot)] };

/** The options of Jest that say which files a run has. `extent`: how far sweeps go; `areNamed`: somebody says which files. */
export const chosen = (extent, areNamed) => {
  if (areNamed) return EVERYTHING;
  return ['middle', 'full'].includes(extent) ? SWEEPS : QUICK;
};

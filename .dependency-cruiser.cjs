/** The rooms and who may enter them (ARCHITECTURE.md). No exemptions: a rule that needs one is a wrong rule. */
const layer = (suffix) => `\\.${suffix}\\.ts$`;
const pure = '\\.(decider|commands|state|evolve|rule)\\.ts$';
const tests = '\\.(spec|contract)\\.ts$|/testing/';

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'not-resolvable',
      comment: 'a process that a test kills runs the built program, which may not be built yet',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '/dist/' },
    },
    {
      name: 'kernel-imports-nothing',
      severity: 'error',
      from: { path: '^libs/kernel/', pathNot: tests },
      to: { pathNot: '^libs/kernel/' },
    },
    {
      name: 'verifier-imports-nothing',
      comment: 'a browser loads its modules as they stand, and it must not share the rules it checks',
      severity: 'error',
      from: { path: '^libs/verifier/', pathNot: tests },
      to: { pathNot: '^libs/verifier/' },
    },
    {
      name: 'libs-meet-at-index',
      comment: 'a process that a test kills runs the built program, which may not be built yet',
      from: { path: '^(?:libs|apps|test)/([^/]+)/' },
      to: {
        path: '^libs/([^/]+)/',
        pathNot: ['^libs/$1/', '^libs/[^/]+/src/(index|pure)\\.ts$', '^libs/[^/]+/src/testing/index\\.ts$'],
      },
    },
    { name: 'libs-never-import-apps', severity: 'error', from: { path: '^libs/' }, to: { path: '^apps/' } },
    {
      name: 'apps-never-import-apps',
      comment: 'what the apps share is in libs/runtime',
      severity: 'error',
      from: { path: '^apps/([^/]+)/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    {
      name: 'only-apps-import-runtime',
      comment: 'it is built of all other libs',
      severity: 'error',
      from: { path: '^libs/', pathNot: '^libs/runtime/' },
      to: { path: '^libs/runtime/' },
    },
    {
      name: 'decider-knows-kernel-and-events',
      comment: 'a decider and what it is made of: its commands, its state, its fold, its rules',
      severity: 'error',
      from: { path: pure, pathNot: tests },
      to: { pathNot: ['^libs/(kernel|events)/src/index\\.ts$', pure] },
    },
    {
      name: 'projection-is-pure',
      comment: 'a process that a test kills runs the built program, which may not be built yet',
      from: { path: [layer('projection'), '/pure\\.ts$'], pathNot: tests },
      to: {
        pathNot: [
          ...['^libs/(kernel|events|read-models)/src/index\\.ts$', '/pure\\.ts$', pure, layer('projection')],
          '^libs/runtime/src/(process-codes|version)\\.ts$', // constants
        ],
      },
    },
    {
      name: 'checkout-stands-below-the-domain',
      comment: 'what ends a mandate or places an order builds on the checkout, which knows of both what is pure',
      severity: 'error',
      from: { path: '^libs/checkout/', pathNot: tests },
      to: { path: '^libs/(booking|catalog|mandate|order)/', pathNot: '/pure\\.ts$' },
    },
    {
      name: 'judge-knows-no-rules',
      comment: 'a process that a test kills runs the built program, which may not be built yet',
      severity: 'error',
      from: { path: ['^test/simulation/judge', '^test/support/(books|.*findings)\\.ts$'], pathNot: tests },
      to: {
        path: ['^libs/', '^test/'],
        pathNot: [
          '^libs/(kernel|events|verifier)/src/index\\.ts$',
          '^test/simulation/(judge|end)',
          '^test/support/(books|.*findings)\\.ts$',
        ],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'controller-speaks-to-the-bus',
      severity: 'error',
      from: { path: layer('controller') },
      to: { path: ['^libs/(event-store|documents|read-models)/', '\\.(decider|projection|handler|port)\\.ts$'] },
    },
    {
      name: 'drivers-only-in-adapters',
      severity: 'error',
      from: { path: '^(libs|apps)/', pathNot: [layer('embedded'), layer('eventstoredb'), layer('mongodb'), tests] },
      to: { path: 'node_modules/(libsql|@eventstore/db-client|mongodb)/' },
    },
    {
      name: 'only-telemetry-knows-opentelemetry',
      comment: 'what is instrumented does not know it (docs/adr/0054)',
      severity: 'error',
      from: { path: '^(libs|apps)/', pathNot: ['^libs/runtime/src/telemetry/', tests] },
      to: { path: 'node_modules/@opentelemetry/' },
    },
    {
      name: 'only-config-reads-the-environment',
      comment: 'process.env is read in libs/config alone; eslint checks the expression, this the module',
      severity: 'error',
      from: { path: '^(libs|apps)/', pathNot: ['^libs/config/', tests] },
      to: { path: '^(node:)?process$' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { conditionNames: ['import', 'node', 'default'], exportsFields: ['exports'] },
  },
};

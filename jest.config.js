/** Jest runs the TypeScript sources as ES modules; `#lib` names resolve through the "source" condition of package.json. */
export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/apps', '<rootDir>/libs', '<rootDir>/test'],
  testMatch: ['**/*.spec.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: {
    '^(\\.{1,2}/.*)\\.js$': '$1',
    // Its package has a "source" of its own, in TypeScript.
    '^eventsource-parser/stream$': '<rootDir>/node_modules/eventsource-parser/dist/stream.js',
  },
  testEnvironmentOptions: { customExportConditions: ['source', 'node', 'node-addons'] },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
          keepClassNames: true,
        },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
    // ES modules that Fastify's own require: Node does that, Jest only from Node 24.9 on.
    'node_modules/(content-disposition|cookie)/.+\\.js$': ['@swc/jest', { module: { type: 'commonjs' } }],
  },
  transformIgnorePatterns: ['/node_modules/(?!(content-disposition|cookie)/)'],
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
  // For what hangs, not for what is slow: a busy machine fails no test.
  testTimeout: 120_000,
  // Most suites wait for disks, processes and hashes: all cores, not all but one.
  maxWorkers: '100%',
};

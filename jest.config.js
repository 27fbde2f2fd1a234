import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The names of the libs; packages have `#` names of their own, which are not to be mapped. */
const libs = readdirSync(join(import.meta.dirname, 'libs')).join('|');

/** Jest runs the TypeScript sources as ES modules. */
export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/apps', '<rootDir>/libs', '<rootDir>/test'],
  testMatch: ['**/*.spec.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: {
    [`^#(${libs})$`]: '<rootDir>/libs/$1/src/index.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
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

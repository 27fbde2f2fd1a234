import { availableParallelism } from 'node:os';

/** Jest finds, schedules and reports; test/jest/runner.js imports the compiled test files natively. */
export default {
  testEnvironment: 'node',
  testRunner: '<rootDir>/test/jest/runner.js',
  roots: ['<rootDir>/apps', '<rootDir>/libs', '<rootDir>/test'],
  testMatch: ['**/*.spec.ts'],
  transform: {},
  modulePathIgnorePatterns: ['<rootDir>/dist/'],
  // For what hangs, not for what is slow: a busy machine fails no test.
  testTimeout: 120_000,
  reporters: ['default', '<rootDir>/test/jest/slowest.js'],
  testSequencer: '<rootDir>/test/jest/sequencer.js',
  // Many suites wait for disks, processes and browsers: with a worker for each of two cores a third of them idled.
  maxWorkers: Math.ceil(availableParallelism() * 1.5),
};

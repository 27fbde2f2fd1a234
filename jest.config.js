import { availableParallelism } from 'node:os';
import process from 'node:process';
import { chosen } from './test/jest/sweeps.js';

const areNamed = process.argv.slice(2).some((argument) => !argument.startsWith('-'));

/** Jest finds, schedules and reports; test/jest/build.js builds the test files, and runner.js imports them natively. */
export default {
  testEnvironment: 'node',
  globalSetup: '<rootDir>/test/jest/build.js',
  testRunner: '<rootDir>/test/jest/runner.js',
  roots: ['<rootDir>/apps', '<rootDir>/libs', '<rootDir>/test'],
  ...chosen(process.env.SWEEPS, areNamed),
  transform: {},
  // For what hangs, not for what is slow: a busy machine fails no test.
  testTimeout: 120_000,
  reporters: ['default', '<rootDir>/test/jest/slowest.js'],
  testSequencer: '<rootDir>/test/jest/sequencer.js',
  // What sweeps wait for is disks, processes and browsers: with fewer workers a fifth of two cores idled.
  maxWorkers: Math.ceil(availableParallelism() * (process.env.SWEEPS === undefined ? 1 : 2)),
};

/**
 * Compiles the tests to `dist`, beside what the build made; with paths as arguments those sources alone, also what the build
 * makes.
 */
import { dirname, join, relative } from 'node:path';
import process from 'node:process';
import { compile } from '../../build/compile.js';
import { sourcesOfTests } from '../../build/sources.js';

const root = join(import.meta.dirname, '../..');
const named = process.argv.slice(2);

/** The package of this name throws outside Jest's own module loader. */
const withOurGlobals = (code, target) =>
  code.replace(/(['"])@jest\/globals\1/, `'${relative(dirname(target), join(root, 'test/jest/globals.js'))}'`);

await Promise.all(
  (named.length > 0 ? named : sourcesOfTests(root)).map((path) =>
    compile(root, path, join(root, 'dist'), withOurGlobals),
  ),
);

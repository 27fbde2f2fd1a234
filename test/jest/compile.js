/**
 * Compiles the tests to `dist`, beside what the build made; with paths as arguments those sources alone, also what the build
 * makes. Types are stripped, not checked.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import process from 'node:process';
import { transformSync } from '@swc/core';

const options = {
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    keepClassNames: true,
  },
  module: { type: 'es6' },
  sourceMaps: 'inline',
};

const root = join(import.meta.dirname, '../..');
/** Test files, contract suites, what libs lend to tests, and all of `test`: no build has them. */
const isOfTests = (path) => /^test\/.*\.ts$|\.(spec|contract)\.ts$|\/testing\/.*\.ts$/.test(path);

const sources = (folder) =>
  readdirSync(join(root, folder), { recursive: true })
    .map((name) => join(folder, name))
    .filter(isOfTests);
const named = process.argv.slice(2);

for (const path of named.length > 0 ? named : ['apps', 'libs', 'test'].flatMap(sources)) {
  const source = join(root, path);
  const target = join(root, 'dist', path.replace(/\.ts$/, '.js'));
  const { code } = transformSync(readFileSync(source, 'utf8'), { ...options, filename: source });
  // The package of this name throws outside Jest's own module loader.
  const globals = relative(dirname(target), join(root, 'test/jest/globals.js'));
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, code.replace(/(['"])@jest\/globals\1/, `'${globals}'`));
}

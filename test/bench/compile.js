/** Compiles the programs among the tests to `dist/test`, beside what the build made. Types are stripped, not checked. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { transformFileSync } from '@swc/core';

const options = {
  jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
  module: { type: 'es6' },
  sourceMaps: 'inline',
};

const root = process.cwd();
for (const name of readdirSync(join(root, 'test'), { recursive: true })) {
  if (!/\.ts$/.test(name) || /\.spec\.ts$/.test(name)) continue;
  const target = join(root, 'dist/test', name.replace(/\.ts$/, '.js'));
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, transformFileSync(join(root, 'test', name), options).code);
}

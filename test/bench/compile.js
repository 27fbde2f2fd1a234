/** Compiles the programs among the tests to `dist/test`, beside what the build made. Types are stripped, not checked. */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { transformFileSync } from '@swc/core';

const options = {
  jsc: { target: 'es2022', parser: { syntax: 'typescript', decorators: true }, transform: { legacyDecorator: true } },
  module: { type: 'es6' },
  sourceMaps: 'inline',
};

const root = process.cwd();
/** The programs, and what the rooms lend to tests, which no build has. */
const folders = ['test', ...readdirSync(join(root, 'libs')).map((lib) => `libs/${lib}/src/testing`)];
for (const folder of folders.filter((one) => existsSync(join(root, one)))) {
  for (const name of readdirSync(join(root, folder), { recursive: true })) {
    if (!/\.ts$/.test(name) || /\.spec\.ts$/.test(name)) continue;
    const target = join(root, 'dist', folder, name.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, transformFileSync(join(root, folder, name), options).code);
  }
}

/**
 * Builds the program: compiles the sources of `apps` and `libs` to `dist`, and copies its assets, as they stand, to the same
 * places there.
 */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { compile } from './compile.js';
import { assets, sourcesOfProgram } from './sources.js';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');

await Promise.all(sourcesOfProgram(root).map((path) => compile(root, path, dist)));
for (const path of assets(root)) cpSync(join(root, path), join(dist, path));

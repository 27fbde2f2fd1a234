/**
 * How a source becomes what Node runs, of the program and of its tests alike: types are stripped, not checked
 * (`npm run check:types`), decorators write the metadata that Nest and class-validator read, and a map beside each file
 * lets a stack trace name the source.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { transform } from '@swc/core';

const options = {
  configFile: false,
  swcrc: false,
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: true },
    keepClassNames: true,
  },
  module: { type: 'es6' },
  sourceMaps: true,
  inlineSourcesContent: false,
};

/** Compiles `path` of the tree at `root` into `folder`; `edit` may change the code that comes of it. */
export const compile = async (root, path, folder, edit = (code) => code) => {
  const source = join(root, path);
  const target = join(folder, path.replace(/\.ts$/, '.js'));
  const sourceFileName = relative(dirname(target), source);
  const { code, map } = await transform(await readFile(source, 'utf8'), {
    ...options,
    filename: source,
    sourceFileName,
  });
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, `${edit(code, target)}\n//# sourceMappingURL=${basename(target)}.map\n`);
  await writeFile(`${target}.map`, map);
};

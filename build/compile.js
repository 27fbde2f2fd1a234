import { basename, dirname, relative } from 'node:path';
import { transform } from '@swc/core';

/** Of the program and of its tests alike. Types are stripped, not checked: `npm run check:types` does that. */
const options = {
  configFile: false,
  swcrc: false,
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript', decorators: true },
    // Nest, class-validator and the OpenAPI document read what decorators leave behind.
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: true },
    keepClassNames: true,
  },
  module: { type: 'es6' },
  sourceMaps: true,
  inlineSourcesContent: false,
};

/** What Node runs of a source, as `target`, and the map by which a stack trace names the source. */
export const compile = async (text, source, target) => {
  const sourceFileName = relative(dirname(target), source);
  const { code, map } = await transform(text, { ...options, filename: source, sourceFileName });
  return { code: `${code}\n//# sourceMappingURL=${basename(target)}.map\n`, map };
};

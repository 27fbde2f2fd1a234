import { describe, expect, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import { compiled } from './compiled.js';

describe('compiled', () => {
  it('names the neighbour of compiled code', () => {
    expect(compiled('./writer.js', 'file:///srv/dist/libs/sqlite/src/file.js').href).toBe(
      'file:///srv/dist/libs/sqlite/src/writer.js',
    );
  });

  it('names what the build made of the neighbour of a source', () => {
    expect(compiled('./writer.js', 'file:///srv/libs/x/libs/sqlite/src/file.ts').href).toBe(
      'file:///srv/libs/x/dist/libs/sqlite/src/writer.js',
    );
    expect(existsSync(compiled('./writer.embedded.js', import.meta.url))).toBe(true);
  });
});

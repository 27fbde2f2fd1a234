import { readFileSync } from 'node:fs';
import { readConfig } from './config.js';
import { variables } from './variables.js';

const lines = readFileSync('.env.example', 'utf8').split('\n');
const example = lines
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)] as const);

describe('.env.example', () => {
  it('has every variable once, and no other', () => {
    expect(example.map(([name]) => name).sort()).toEqual(Object.keys(variables.shape).sort());
  });

  it('has each with its default', () => {
    expect(readConfig(Object.fromEntries(example))).toEqual(readConfig({}));
  });
});

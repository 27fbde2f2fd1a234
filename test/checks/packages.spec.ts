import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const { faultsOf } = (await import(pathToFileURL(resolve('test/checks/packages.js')).href)) as {
  readonly faultsOf: (packages: object) => readonly string[];
};

const TOOL = { properties: [{ name: 'cdx:npm:package:development', value: 'true' }] };
const component = (name: string, ...licenses: readonly object[]) => ({ name, version: '1.0.0', licenses });
const id = (name: string) => ({ license: { id: name } });
const none = { bom: { components: [] }, lock: { packages: {} }, manifest: {}, settings: 'ignore-scripts=true\n' };

it('names licences that are not allowed, and takes a choice that is', () => {
  const components = [
    component('free', id('MIT')),
    component('choice', { expression: '(GPL-3.0-only OR MIT)' }),
    component('both', { expression: 'MIT AND GPL-3.0-only' }),
    component('taker', id('GPL-3.0-only')),
    component('silent'),
    component('shipped', id('MPL-2.0')),
    { ...component('tool', id('MPL-2.0')), ...TOOL },
  ];
  expect(faultsOf({ ...none, bom: { components } })).toEqual([
    'both@1.0.0 has the licence MIT AND GPL-3.0-only',
    'taker@1.0.0 has the licence GPL-3.0-only',
    'silent@1.0.0 has the licence nobody knows',
    'shipped@1.0.0 has the licence MPL-2.0',
  ]);
});

it('names install scripts that nobody decided on, or that may run', () => {
  const integrity = 'sha512-x';
  const packages = {
    'node_modules/a/node_modules/@new/script': { hasInstallScript: true, integrity },
    'node_modules/known': { hasInstallScript: true, integrity },
    'node_modules/allowed': { hasInstallScript: true, integrity },
    'node_modules/elsewhere': { resolved: 'git+ssh://git@example.com/elsewhere.git' },
  };
  const manifest = { allowScripts: { known: false, allowed: true, gone: false } };
  expect(faultsOf({ ...none, lock: { packages }, manifest, settings: '' })).toEqual([
    '@new/script has an install script that is not listed',
    'gone is listed in allowScripts and has no install script',
    'allowed may run an install script',
    '.npmrc does not say ignore-scripts=true',
    'elsewhere has no checksum in package-lock.json, or does not come by https',
  ]);
});

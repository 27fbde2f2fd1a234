import { describe, expect, it } from '@jest/globals';
import { parametersOf } from '../parameters.js';
import { destinationIn, hostOf, pathTo, subjectOf } from './destination.js';

const links = { auth: 'https://entrar.example', site: 'https://alcada.example', base: 'https://alcada.example/api/v1' };

describe('where a login leads', () => {
  it.each([
    ['request', '/oauth/consent/a1', 'entrar.example'],
    ['challenge', '/desafios/a1', 'alcada.example'],
  ])('is what the form names: %s', (kind, path, host) => {
    const to = destinationIn(parametersOf({ [kind]: 'a1' }));
    expect(to && [pathTo(to), hostOf(to, links)]).toEqual([path, host]);
  });

  it.each([{}, { next: 'a1' }, { request: '' }, { account: 'a1' }])('is nowhere by %j', (fields) => {
    expect(destinationIn(parametersOf(fields))).toBeNull();
  });

  it.each(['//evil.example', 'https://evil.example', '../x', 'a?b#c', '\\evil.example'])(
    'is never an address: %s',
    (id) => {
      const url = new URL(pathTo({ kind: 'challenge', id }), links.site);
      expect([url.origin, url.pathname.split('/').length, url.search, url.hash]).toEqual([links.site, 3, '', '']);
    },
  );

  it('binds a form to itself alone', () => {
    const subjects = [null, { kind: 'request', id: 'a' } as const, { kind: 'challenge', id: 'a' } as const].map(
      subjectOf,
    );
    expect(new Set(subjects).size).toBe(3);
  });
});

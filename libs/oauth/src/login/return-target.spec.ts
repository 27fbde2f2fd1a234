import { describe, expect, it } from '@jest/globals';
import { parametersOf } from '../parameters.js';
import { hostOf, pathTo, returnTargetIn, subjectOf } from './return-target.js';

const urls = { auth: 'https://entrar.example', site: 'https://alcada.example', base: 'https://alcada.example/api/v1' };

describe('where a login leads', () => {
  it.each([
    ['request', '/oauth/consent/a1', 'entrar.example'],
    ['challenge', '/desafios/a1', 'alcada.example'],
    ['account', '/conta', 'alcada.example'],
    ['agent_cap', '/conta', 'alcada.example'],
    ['agent_end', '/conta/agentes/a1/revogar', 'alcada.example'],
    ['mandate', '/conta/mandatos/a1', 'alcada.example'],
    ['mandate_end', '/conta/mandatos/a1/revogar', 'alcada.example'],
    ['order', '/conta/pedidos/a1', 'alcada.example'],
  ])('is what the form names: %s', (kind, path, host) => {
    const to = returnTargetIn(parametersOf({ [kind]: 'a1' }));
    expect(to && [pathTo(to), hostOf(to, urls)]).toEqual([path, host]);
  });

  it.each([
    ['mandates', '/conta/mandatos'],
    ['orders', '/conta/pedidos'],
    ['//evil.example', '/conta'],
  ])('is of the account its first page, or the list that is named: %s', (id, path) => {
    expect(pathTo({ kind: 'account', id })).toBe(path);
  });

  it.each([{}, { next: 'a1' }, { request: '' }, { redirect: 'a1' }])('is nowhere by %j', (fields) => {
    expect(returnTargetIn(parametersOf(fields))).toBeNull();
  });

  it.each(['//evil.example', 'https://evil.example', '../x', 'a?b#c', '\\evil.example'])(
    'is never an address: %s',
    (id) => {
      const url = new URL(pathTo({ kind: 'challenge', id }), urls.site);
      expect([url.origin, url.pathname.split('/').length, url.search, url.hash]).toEqual([urls.site, 3, '', '']);
    },
  );

  it('binds a form to itself alone', () => {
    const kinds = ['request', 'challenge', 'agent_cap', 'agent_end', 'mandate', 'mandate_end'] as const;
    const subjects = [null, ...kinds.map((kind) => ({ kind, id: 'a' }))].map(subjectOf);
    expect(new Set(subjects).size).toBe(7);
  });
});

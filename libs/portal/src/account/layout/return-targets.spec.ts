import { parametersOf, ReturnTargets } from '#identity';
import { pathTo, RETURN_TARGETS } from './return-targets.js';

const urls = { auth: 'https://entrar.example', site: 'https://alcada.example', base: 'https://alcada.example/api/v1' };
const targets = new ReturnTargets();
targets.register(RETURN_TARGETS);

describe('where a login leads in the account', () => {
  it.each([
    ['challenge', '/desafios/a1'],
    ['purchase', '/comprar/a1'],
    ['account', '/conta'],
    ['agent_cap', '/conta/limites#agente-a1'],
    ['notices', '/conta/avisos'],
    ['notice', '/conta/avisos/a1'],
    ['notice_mails', '/conta/avisos'],
    ['agent', '/conta/agentes/a1'],
    ['agent_payment', '/conta/agentes/a1/pagamento'],
    ['wallet', '/conta/carteira'],
    ['agent_end', '/conta/agentes/a1/revogar'],
    ['mandate', '/conta/mandatos/a1'],
    ['mandate_end', '/conta/mandatos/a1/revogar'],
    ['order', '/conta/pedidos/a1'],
    ['order_cancel', '/conta/pedidos/a1/cancelar'],
  ])('is what the form names: %s', (kind, path) => {
    const to = targets.namedIn(parametersOf({ [kind]: 'a1' }));
    expect(to && [targets.pathTo(to), targets.hostOf(to, urls)]).toEqual([path, 'alcada.example']);
  });

  it.each([
    ['mandates', '/conta/mandatos'],
    ['orders', '/conta/viagens'],
    ['agents', '/conta/agentes'],
    ['limits', '/conta/limites'],
    ['//evil.example', '/conta'],
  ])('is of the account its first page, or the tab or list that is named: %s', (id, path) => {
    expect(pathTo({ kind: 'account', id })).toBe(path);
  });

  it.each(['//evil.example', 'https://evil.example', '../x', 'a?b#c', '\\evil.example'])(
    'is never an address: %s',
    (id) => {
      const url = new URL(pathTo({ kind: 'challenge', id }), urls.site);
      expect([url.origin, url.pathname.split('/').length, url.search, url.hash]).toEqual([urls.site, 3, '', '']);
    },
  );
});

import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { SCRIPT } from './steps.page.js';

/** The value of an expression in the scope of the script, on a page without the playground. */
const valueOf = (expression: string): unknown => {
  const document = { getElementById: () => null, addEventListener: () => undefined };
  const page = { atob, URLSearchParams, document, location: { search: '' } };
  return JSON.parse(String(runInNewContext(`${SCRIPT.body}; JSON.stringify(${expression})`, page)));
};

describe('the script of the playground', () => {
  it('masks every secret that it knows, wherever it appears', () => {
    const secret = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.assinatura';
    const shown = valueOf(`(secrets.push('${secret}'), masked('Bearer ${secret} e token=${secret}'))`);
    expect(shown).toBe('Bearer eyJhbGci…tura (47 caracteres) e token=eyJhbGci…tura (47 caracteres)');
  });

  it('reads the claims of a token', () => {
    const claims = { scope: 'booking:write', jti: '???>>>' };
    const token = `a.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.c`;
    expect(valueOf(`claimsOf('${token}')`)).toEqual(claims);
  });

  it.each([
    ['GET', '/flights', [['q', 'são paulo']], { path: '/flights?q=s%C3%A3o+paulo', body: null }],
    ['GET', '/orders/{id}/receipt', [['id', 'a/b']], { path: '/orders/a%2Fb/receipt', body: null }],
    [
      'POST',
      '/mandates',
      [
        ['limit.amount', 1],
        ['limit.currency', 'BRL'],
        ['durationMinutes', 60],
      ],
      { path: '/mandates', body: { limit: { amount: 1, currency: 'BRL' }, durationMinutes: 60 } },
    ],
  ])('makes a call from a form: %s %s', (method, path, entries, call) => {
    expect(valueOf(`callOf('${method}', '${path}', ${JSON.stringify(entries)})`)).toEqual(call);
  });

  it('finds a place in an answer, or undefined', () => {
    expect(valueOf(`placeIn({ items: [{ id: 7 }] }, 'items.0.id')`)).toBe(7);
    expect(valueOf(`placeIn({ items: [] }, 'items.0.id') ?? 'nada'`)).toBe('nada');
  });

  it('says in words what an answer warns of', () => {
    const warnings = [
      { in: 'body', field: 'passangers', message: 'é desconhecido e foi ignorado; talvez seja passengers' },
    ];
    expect(valueOf(`warningsIn(${JSON.stringify({ id: 1, warnings })})`)).toEqual([
      'Aviso: passangers é desconhecido e foi ignorado; talvez seja passengers.',
    ]);
    expect(valueOf('warningsIn({ id: 1 })')).toEqual([]);
  });

  it('writes nothing but text, and stores nothing that would outlive the page', () => {
    expect(SCRIPT.body).not.toMatch(
      /innerHTML|outerHTML|insertAdjacent|document\.write|localStorage|sessionStorage|cookie/,
    );
  });
});

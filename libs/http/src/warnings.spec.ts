import { openForAll } from '#testing';
import { startThingsApi } from './testing/things-api.js';
import { prefersStrict } from './warnings.js';

describe('a preference for strict handling (RFC 7240 §4.4)', () => {
  it.each([
    'handling=strict',
    'Handling = Strict',
    'respond-async, handling=strict',
    'handling="strict"',
    'handling=strict; foo="a, b"',
    'foo="handling=lenient, x", handling=strict',
    'handling=strict, handling=lenient',
  ])('is there in %j', (prefer) => expect(prefersStrict({ headers: { prefer } })).toBe(true));

  it.each([
    undefined,
    '',
    'handling',
    'handling=lenient',
    'handling=lenient, handling=strict',
    'handling=strictly',
    'x-handling=strict',
    'foo="a, handling=strict, b"',
    'foo="',
  ])('is not in %j', (prefer) => expect(prefersStrict({ headers: { prefer } })).toBe(false));
});

const api = openForAll(() => startThingsApi());

const TOKEN = { authorization: 'Bearer booking:write receipt:read' };
const JSON_BODY = { ...TOKEN, 'content-type': 'application/json' };
const STRICT = { prefer: 'handling=strict' };
const IGNORED = 'é desconhecido e foi ignorado';

describe('an answer', () => {
  it('names what its operation does not know, in the query and in the body', async () => {
    const { status, body } = await api.call('POST', '/api/v1/things?siz=1', JSON_BODY, '{"size":1,"sizes":2}');
    expect([status, body]).toEqual([
      201,
      {
        body: { size: 1 },
        holder: 'ana',
        warnings: [
          { in: 'query', field: 'siz', message: IGNORED },
          { in: 'body', field: 'sizes', suggestion: 'size', message: `${IGNORED}; talvez seja size` },
        ],
      },
    ]);
  });

  it('has no warnings where all is known', async () => {
    const { body } = await api.call('POST', '/api/v1/things', JSON_BODY, '{"size":1}');
    expect(body).toEqual({ body: { size: 1 }, holder: 'ana' });
  });

  it('that warns is kept by nobody, and has no tag', async () => {
    const plain = await api.call('GET', '/api/v1/things');
    const tag = plain.headers.get('etag') ?? '';
    expect([tag, plain.headers.get('cache-control'), plain.headers.get('vary')]).toEqual([
      expect.stringMatching(/^"/),
      'no-cache',
      'Prefer',
    ]);
    const warned = await api.call('GET', '/api/v1/things?x=1', { 'if-none-match': tag });
    expect([warned.status, warned.headers.get('etag'), warned.headers.get('cache-control')]).toEqual([
      200,
      null,
      'no-store',
    ]);
    expect(warned.body).toEqual({ items: ['one'], warnings: [{ in: 'query', field: 'x', message: IGNORED }] });
  });
});

describe('a request that prefers strict handling', () => {
  it('is refused for what is unknown, before its members are judged', async () => {
    const sent = { ...JSON_BODY, ...STRICT };
    const { status, headers, body } = await api.call('POST', '/api/v1/things?x=1', sent, '{"sizes":2}');
    expect([status, headers.get('preference-applied'), body]).toEqual([
      422,
      'handling=strict',
      {
        error: 'unknown_member',
        doc_url: expect.stringMatching(/\/docs\/erros\/unknown_member$/),
        message: 'A requisição tem membros ou parâmetros desconhecidos.',
        details: [
          { in: 'query', field: 'x', message: 'é desconhecido' },
          { in: 'body', field: 'sizes', suggestion: 'size', message: 'é desconhecido; talvez seja size' },
        ],
        requestId: expect.any(String),
      },
    ]);
  });

  it('is answered as any other where all is known, and told that it was heard', async () => {
    const { status, headers, body } = await api.call('GET', '/api/v1/things', STRICT);
    expect([status, headers.get('preference-applied'), body]).toEqual([200, 'handling=strict', { items: ['one'] }]);
    const { headers: lenient } = await api.call('GET', '/api/v1/things');
    expect(lenient.get('preference-applied')).toBeNull();
  });

  it('is asked for its token first', async () => {
    const { status } = await api.call('POST', '/api/v1/things?x=1', { ...STRICT, 'content-type': 'application/json' });
    expect(status).toBe(401);
  });
});

import { type Method, type Operation } from './openapi-operations.js';

type Response = NonNullable<Operation['responses'][string]>;

const text = (description: string, english: string, example: string, required = false) => ({
  description,
  'x-description-en': english,
  ...(required && { required }),
  schema: { type: 'string' as const },
  example,
});

export const HEADERS = {
  'X-Request-Id': text(
    'Identifica a requisição; é o requestId dos erros.',
    'Identifies the request; it is the requestId of errors.',
    'b7f0a3de-51c8-4c0f-8a37-6a1e0d4f2b95',
    true,
  ),
  RateLimit: text(
    'Quanto resta do limite (r) e em quantos segundos ele volta a estar inteiro (t). Ausente onde não há limite por endereço.',
    'How much of the limit is left (r), and in how many seconds all of it is there again (t). Absent where addresses are not limited.',
    '"operations";r=499;t=1',
  ),
  'RateLimit-Policy': text(
    'Quanto cabe de uma vez (q) e em quantos segundos o mesmo volta a caber (w).',
    'How much may be taken in one go (q), and in how many seconds as much may be taken again (w).',
    '"operations";q=500;w=5',
  ),
  ETag: text(
    'Nomeia este conteúdo. Enviado em If-None-Match, responde 304 enquanto nada mudar. Ausente quando há warnings.',
    'Names this content. Sent in If-None-Match it is answered 304 as long as nothing changes. Absent where there are warnings.',
    '"Vq3yQ0pXk1J8m2Zr5t7uW9aBcDe"',
  ),
  'Cache-Control': text(
    'Se e por quanto tempo a resposta pode ser guardada.',
    'Whether and for how long the answer may be kept.',
    'no-cache',
  ),
  Vary: text(
    'Os cabeçalhos da requisição de que a resposta depende.',
    'The headers of the request on which the answer depends.',
    'Prefer',
  ),
  Location: text(
    'Onde o que foi criado é lido.',
    'Where what was created is read.',
    'http://127.0.0.1:3000/api/v1/orders/4c8f1a52-7a0e-4b52-9f39-2a8f6f1d0c11',
    true,
  ),
  'Idempotent-Replayed': text(
    'true: é a resposta que a mesma Idempotency-Key já teve; nada foi feito de novo.',
    'true: this is the answer that the same Idempotency-Key had before; nothing was done again.',
    'true',
  ),
  'Preference-Applied': text(
    'A preferência de Prefer que foi atendida.',
    'The preference of Prefer that was met.',
    'handling=strict',
  ),
  'Retry-After': text(
    'Segundos depois dos quais vale tentar de novo.',
    'Seconds after which another try makes sense.',
    '1',
  ),
  'WWW-Authenticate': text(
    'Como se autenticar, e o que faltou: onde está o servidor de autorização, o erro e os escopos (RFC 6750, 9449, 9728).',
    'How to authenticate, and what was missing: where the authorization server is, the error and the scopes (RFC 6750, 9449, 9728).',
    'Bearer resource_metadata="http://127.0.0.1:3000/.well-known/oauth-protected-resource/api/v1"',
  ),
  'DPoP-Nonce': text(
    'O nonce a usar na próxima prova DPoP; só de tokens ligados a uma chave.',
    'The nonce for the next DPoP proof; only of tokens that are bound to a key.',
    'eyJ7S_zG.eyJH0-Z',
  ),
};
type Header = keyof typeof HEADERS;

const ALWAYS: readonly Header[] = ['X-Request-Id', 'RateLimit', 'RateLimit-Policy'];
const CACHED: readonly Header[] = ['ETag', 'Cache-Control', 'Vary'];
/** Codes that say when to try again, beside 429 and 503, which always do. */
const WAITING = /order_in_progress|idempotency_in_flight/;

/** Says of every answer which headers it may have. What an operation says itself stays. */
export const withHeaders = (operation: Operation, method: Method): Operation => {
  const entries = Object.entries(operation.responses).map(([status, response]) => {
    if (!response || !('description' in response)) return [status, response] as const;
    const names = [...ALWAYS, ...headersOf(status, response, operation, method)];
    const references = names.map((name) => [name, { $ref: `#/components/headers/${name}` }] as const);
    const headers: NonNullable<typeof response.headers> = Object.fromEntries(references);
    return [status, { ...response, headers: Object.assign(headers, response.headers) }] as const;
  });
  return { ...operation, responses: Object.fromEntries<Operation['responses'][string]>(entries) };
};

const headersOf = (
  status: string,
  response: Response,
  { responses, parameters = [] }: Operation,
  method: Method,
): readonly Header[] => {
  const isCached = '304' in responses;
  const takesKey = parameters.some((one) => 'name' in one && one.name === 'Idempotency-Key');
  const needsToken = '401' in responses;
  const codes = 'description' in response ? response.description : '';
  switch (status) {
    case '200':
    case '201': {
      const ofRead: readonly Header[] = isCached ? CACHED : ['Cache-Control', 'Vary'];
      return [
        ...(method === 'get' ? ofRead : []),
        ...(status === '201' ? (['Location'] as const) : []),
        ...(takesKey ? (['Idempotent-Replayed'] as const) : []),
        'Preference-Applied',
        ...(needsToken ? (['DPoP-Nonce'] as const) : []),
      ];
    }
    case '304':
      return CACHED;
    case '401':
      return ['WWW-Authenticate', 'DPoP-Nonce'];
    case '402':
      return takesKey ? ['Idempotent-Replayed'] : [];
    case '403':
      return codes.includes('insufficient_scope') ? ['WWW-Authenticate'] : [];
    case '409':
      return WAITING.test(codes) ? ['Retry-After'] : [];
    case '422':
      return ['Preference-Applied'];
    case '429':
    case '503':
      return ['Retry-After'];
    default:
      return [];
  }
};

import type { Random } from './random.js';
import { TEXTS } from './values.js';
import type { Sent } from './wire.js';

type Header = readonly [name: string, value: string];

const withHeader = (sent: Sent, ...header: Header): Sent => ({
  ...sent,
  headers: [...sent.headers.filter(([name]) => name !== header[0]), header],
});
const withBody = (sent: Sent, body: Buffer): Sent =>
  withHeader({ ...sent, body }, 'content-length', String(body.length));
const latin = (text: string): string => text.replaceAll(/[^\0-\xff]/g, '?');

/** Ways to break what no HTTP client would: head, framing, encoding and bytes. Nothing can follow those that are `isLast`. */
const WAYS: readonly ((sent: Sent, random: Random) => Sent)[] = [
  // The request line.
  (sent, random) => ({
    ...sent,
    method: random.pick(['PUT', 'OPTIONS', 'HEAD', 'DELETE', 'PATCH', 'GET', 'POST', 'QUERY']),
  }),
  (sent, random) => ({ ...sent, method: random.pick(['TRACE', 'CONNECT', 'get', 'BREW', 'G\0T', '']), isLast: true }),
  (sent, random) => ({ ...sent, target: sent.target + encodeURIComponent(Buffer.from(random.pick(TEXTS)).toString()) }),
  (sent, random) => ({
    ...sent,
    target: sent.target + random.pick(['/', '//', '/../', '?', '&', '#x', ';x', '%', '%zz', '%00', '%ff', '%c0%af']),
  }),
  (sent, random) => ({
    ...sent,
    target: sent.target.replace(
      '/api',
      random.pick(['//api', '/API', '/%61pi', '/./api', '/x/../api', '/api/api', 'http://x/api']),
    ),
  }),
  (sent, random) => ({
    ...sent,
    target: random.pick([
      '*',
      'x',
      'http://evil.example/',
      '//evil.example/api/v1/flights',
      '/\0',
      ' /',
      '/a b',
      '/\xff\xfe',
      '',
    ]),
    isLast: true,
  }),
  (sent) => ({ ...sent, target: `${sent.target}?${'a'.repeat(12_000)}` }),
  (sent) => ({ ...sent, target: `/${'a'.repeat(20_000)}`, isLast: true }),
  (sent) => ({ ...sent, version: '1.0', isLast: true }),
  // Headers.
  (sent) => ({ ...sent, headers: sent.headers.filter(([name]) => name !== 'host'), isLast: true }),
  (sent, random) =>
    withHeader(sent, 'host', random.pick(['', 'evil.example', '127.0.0.1:99999', '[::1', 'a b', '%00'])),
  (sent) => ({ ...sent, headers: [...sent.headers, ['host', 'evil.example']], isLast: true }),
  (sent, random) => ({ ...sent, headers: [...sent.headers, ['x-odd', latin(random.pick(TEXTS))]], isLast: true }),
  (sent, random) => ({ ...sent, headers: [...sent.headers, [latin(random.pick(TEXTS)), 'x']], isLast: true }),
  (sent, random) => {
    const [name, value] = random.pick(sent.headers);
    return { ...sent, headers: [...sent.headers, [name, value]], isLast: true };
  },
  (sent) => ({ ...sent, headers: [...sent.headers, ['x-long', 'x'.repeat(17_000)]], isLast: true }),
  (sent) => ({
    ...sent,
    headers: [...sent.headers, ...Array.from({ length: 2_500 }, (_, at): Header => [`h${at}`, ''])],
    isLast: true,
  }),
  // Framing.
  (sent) => withHeader({ ...sent, isLast: true }, 'content-length', String((sent.body?.length ?? 0) + 7)),
  (sent, random) =>
    withHeader(
      { ...sent, isLast: true },
      'content-length',
      random.pick(['-1', '1e3', '0x10', '1, 2', '', '99999999999999999999', '+5']),
    ),
  (sent) => withHeader({ ...sent, isLast: true }, 'content-length', '1'),
  (sent) => withHeader({ ...sent, isLast: true }, 'transfer-encoding', 'chunked'),
  (sent, random) =>
    withHeader(
      { ...sent, isLast: true },
      'transfer-encoding',
      random.pick(['gzip', 'identity', 'chunked, chunked', 'xchunked', '\x0bchunked']),
    ),
  (sent) => {
    const body = sent.body ?? Buffer.from('{}');
    const headers = sent.headers.filter(([name]) => name !== 'content-length');
    const chunks = Buffer.concat([
      Buffer.from(`${body.length.toString(16)};a=b\r\n`),
      body,
      Buffer.from('\r\n0\r\n\r\n'),
    ]);
    return { ...sent, headers: [...headers, ['transfer-encoding', 'chunked']], body: chunks };
  },
  // The body.
  (sent, random) => withBody(sent, sent.body?.subarray(0, random.below(sent.body.length)) ?? Buffer.from('{')),
  (sent, random) => {
    const body = Buffer.from(sent.body ?? Buffer.from('{}'));
    for (let times = 1 + random.below(3); times > 0; times -= 1) body[random.below(body.length)] = random.below(256);
    return withBody(sent, body);
  },
  (sent, random) => withBody(sent, Buffer.concat([sent.body ?? Buffer.alloc(0), Buffer.from(random.pick(TEXTS))])),
  (sent) => withBody(sent, Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), sent.body ?? Buffer.from('{}')])),
  (sent) => withBody(sent, Buffer.from(`{"a":"\xff\xc0\xaf\xed\xa0\x80"}`, 'latin1')),
  (sent) => withBody(sent, Buffer.from((sent.body ?? Buffer.from('{}')).toString(), 'utf16le')),
  (sent) => withBody(sent, Buffer.alloc(0)),
  (sent) => withBody({ ...sent, isLast: true }, Buffer.alloc(70_000, ' ')),
  (sent, random) =>
    withBody(sent, Buffer.from(`{"a":"${random.pick(['x', 'é', '\\u0301', '[', '{'])}`.padEnd(65_000, 'x') + '"}')),
];

export const mangled = (random: Random, sent: Sent): Sent => {
  const once = random.pick(WAYS)(sent, random);
  return random.chance(0.15) ? random.pick(WAYS)(once, random) : once;
};

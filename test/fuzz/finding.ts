import { type Composed, JSON_TYPE } from './requests.js';
import { isObject, parsed } from './values.js';
import { bytesOf, isLast, type Sent } from './wire.js';

export interface Finding {
  readonly seed: number;
  /** The how manieth request of its seed. */
  readonly at: number;
  readonly fault: string;
  readonly composed: Composed;
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** A request as a command: `curl`, or its bytes where no client would send them. Tokens are told by their owner. */
export const commandOf = ({ sent, actor, isMangled }: Composed): string => {
  const { method, target, headers, body } = sent;
  const text = body?.toString() ?? '';
  if (isMangled || isLast(sent) || !Buffer.from(text).equals(body ?? Buffer.alloc(0)))
    return `base64 -d <<< ${bytesOf(sent).toString('base64')} | nc -q 2 127.0.0.1 3000`;
  const token = `Bearer <a token of ${actor?.name ?? 'nobody'}>`;
  const shown = headers
    .filter(([name]) => name !== 'host' && name !== 'content-length')
    .map(([name, value]) => `-H ${quoted(`${name}: ${value.replace(/^Bearer eyJ.*/, token)}`)}`);
  const data = body === null ? [] : [`--data-binary ${quoted(text)}`];
  return ['curl -i', `-X ${method}`, ...shown, ...data, quoted(`http://127.0.0.1:3000${target}`)].join(' ');
};

/** Smaller requests that may show the same: one header or one member of the body less. */
const smallerThan = (sent: Sent): readonly Sent[] => {
  const { headers, body } = sent;
  const withoutHeader = headers
    .filter(([name]) => !['host', 'content-length', 'content-type'].includes(name))
    .map((header) => ({ ...sent, headers: headers.filter((one) => one !== header) }));
  const isJson = headers.some(([name, value]) => name === 'content-type' && value === JSON_TYPE);
  if (!body || !isJson) return withoutHeader;
  const withBody = (value: unknown): Sent => {
    const bytes = Buffer.from(JSON.stringify(value));
    const length = ['content-length', String(bytes.length)] as const;
    return { ...sent, body: bytes, headers: headers.map((one) => (one[0] === 'content-length' ? length : one)) };
  };
  return [...withoutHeader, ...smallerValues(parsed(body.toString())).map(withBody)];
};

const smallerValues = (value: unknown): readonly unknown[] => {
  if (!isObject(value)) return [];
  return Object.keys(value).flatMap((name) => {
    const { [name]: member, ...others } = value;
    return [others, ...smallerValues(member).map((one) => ({ ...value, [name]: one }))];
  });
};

/** The smallest request that still shows a fault, as far as leaving things out one by one leads. */
export const shrunk = async (composed: Composed, shows: (smaller: Composed) => Promise<boolean>): Promise<Composed> => {
  for (const sent of smallerThan(composed.sent)) {
    const smaller = { ...composed, sent };
    if (await shows(smaller)) return shrunk(smaller, shows);
  }
  return composed;
};

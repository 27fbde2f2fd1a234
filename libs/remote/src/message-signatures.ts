import { isInnerList, parseDictionary, serializeInnerList, serializeItem } from 'structured-headers';

/** Parameters of an item by name (RFC 9651 §3.1.2). */
type Parameters = Map<string, unknown>;
/** A value with its parameters: text, a number, a truth value, bytes, or what nobody reads here. */
export type Item = [value: unknown, parameters: Parameters];
type InnerList = [items: Item[], parameters: Parameters];
type Dictionary = ReadonlyMap<string, Item | InnerList>;

/** A request, or an answer, as its signer saw it: what HTTP message signatures are made over (RFC 9421 §2). */
export interface SignedMessage {
  readonly method: string;
  /** Of an answer; absent: it is a request. */
  readonly status?: number;
  readonly scheme: string;
  /** Host in lower case, with its port where that is not the scheme's own. */
  readonly authority: string;
  /** Path and query, as they were sent. */
  readonly target: string;
  /** By names in lower case, each with all its values. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** One member of `Signature-Input` with its member of `Signature` (RFC 9421 §4). */
export interface Signature {
  readonly label: string;
  readonly covered: readonly Item[];
  readonly parameters: ReadonlyMap<string, unknown>;
  readonly bytes: Uint8Array;
  /** The whole member of `Signature-Input`, whose serialization is signed as well. */
  readonly input: InnerList;
}

/** Why there is no signature base (RFC 9421 §2.5): a part is missing or malformed, or of a kind that is not read here. */
export type NoBase = 'missing' | 'unsupported';

export const headerOf = ({ headers }: Pick<SignedMessage, 'headers'>, name: string): string | undefined => {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
};

/** A Dictionary (RFC 9651 §3.2), or null where it is none. */
export const dictionaryIn = (text: string): Dictionary | null => {
  try {
    return parseDictionary(text);
  } catch {
    return null;
  }
};

/** The signatures of a message; null where its headers cannot be read, or one of the two lacks what the other names. */
export const signaturesOf = (message: Pick<SignedMessage, 'headers'>): readonly Signature[] | null => {
  const inputs = dictionaryIn(headerOf(message, 'signature-input') ?? '');
  const values = dictionaryIn(headerOf(message, 'signature') ?? '');
  if (!inputs || !values || inputs.size === 0) return null;
  const signatures = [...inputs].map(([label, input]) => signatureOf(label, input, values.get(label)));
  return signatures.every((signature) => signature !== null) ? signatures : null;
};

const signatureOf = (label: string, input: Item | InnerList, value: Item | InnerList | undefined): Signature | null => {
  const bytes = value?.[0];
  if (!isList(input) || !(bytes instanceof ArrayBuffer)) return null;
  const [covered, parameters] = input;
  return { label, covered, parameters, bytes: new Uint8Array(bytes), input };
};

// `isInnerList` narrows nothing by itself.
const isList = (member: Item | InnerList): member is InnerList => isInnerList(member);

/** The bytes that a signature signs (RFC 9421 §2.5), or why there are none. */
export const signatureBaseOf = (
  { covered, input }: Pick<Signature, 'covered' | 'input'>,
  message: SignedMessage,
): Buffer | NoBase => {
  const lines: string[] = [];
  const identifiers = new Set<string>();
  try {
    for (const component of covered) {
      const identifier = serializeItem(component);
      const value = valueOf(component, message);
      // No component may be named twice.
      if (value === 'missing' || identifiers.has(identifier)) return 'missing';
      if (value === 'unsupported') return 'unsupported';
      identifiers.add(identifier);
      lines.push(`${identifier}: ${value.text}`);
    }
    lines.push(`"@signature-params": ${serializeInnerList(input)}`);
  } catch {
    return 'missing';
  }
  const base = lines.join('\n');
  return /^[\x20-\x7e\n]*$/.test(base) ? Buffer.from(base, 'latin1') : 'unsupported';
};

/** What a signer signs of a message: the value of the member of `Signature-Input`, and the base. @throws Error where a component is missing */
export const toSign = (
  components: readonly string[],
  parameters: Readonly<Record<string, string | number>>,
  message: SignedMessage,
): { readonly input: string; readonly base: Buffer } => {
  const covered = components.map((name): Item => [name, new Map()]);
  const input: InnerList = [covered, new Map(Object.entries(parameters))];
  const base = signatureBaseOf({ covered, input }, message);
  if (typeof base === 'string') throw new Error(`a message cannot be signed: a component is ${base}`);
  return { input: serializeInnerList(input), base };
};

/** The headers of a message as Dictionaries, each read once however many components name members of it. */
const dictionaries = new WeakMap<SignedMessage, Map<string, Dictionary | null>>();

const dictionaryOf = (name: string, value: string, message: SignedMessage): Dictionary | null => {
  const read = dictionaries.get(message) ?? new Map<string, Dictionary | null>();
  dictionaries.set(message, read);
  const dictionary = read.has(name) ? read.get(name) : dictionaryIn(value);
  read.set(name, dictionary ?? null);
  return dictionary ?? null;
};

/** The value of a component (RFC 9421 §2.1, §2.2). @throws SerializeError */
const valueOf = ([name, parameters]: Item, message: SignedMessage): { readonly text: string } | NoBase => {
  if (typeof name !== 'string' || name !== name.toLowerCase()) return 'missing';
  const key = parameters.get('key');
  if ([...parameters.keys()].some((parameter) => parameter !== 'key')) return 'unsupported';
  if (name.startsWith('@')) return key === undefined ? derived(name, message) : 'unsupported';
  const value = headerOf(message, name);
  if (value === undefined) return 'missing';
  if (key === undefined) return { text: value.trim() };
  const member = typeof key === 'string' ? dictionaryOf(name, value, message)?.get(key) : undefined;
  if (!member) return 'missing';
  return { text: isList(member) ? serializeInnerList(member) : serializeItem(member) };
};

const derived = (name: string, message: SignedMessage): { readonly text: string } | NoBase => {
  const { method, status, scheme, authority, target } = message;
  const [path = '', ...query] = target.split('?');
  switch (name) {
    case '@status':
      return status === undefined ? 'missing' : { text: String(status) };
    case '@method':
      return { text: method };
    case '@scheme':
      return { text: scheme };
    case '@authority':
      return { text: authority };
    case '@target-uri':
      return { text: `${scheme}://${authority}${target}` };
    case '@request-target':
      return { text: target };
    case '@path':
      return { text: path || '/' };
    case '@query':
      return { text: `?${query.join('?')}` };
    case '@query-param':
      return 'unsupported';
    default:
      return 'missing';
  }
};

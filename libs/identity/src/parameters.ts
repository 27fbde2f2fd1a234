import { RequestError } from './protocol-error.js';

/** The one parameter that may repeat (RFC 8707 §2). */
const REPEATABLE = 'resource';

/** The longest value accepted, in characters. Everything that the protocol needs is far shorter. */
const LONGEST = 2_048;

/** The most parameters accepted, repeated ones counted each. No form of ours has more than a dozen. */
const MOST = 50;

/** The parameters of an OAuth request. One without a value is absent (RFC 6749 §3.1); none is picked among several. */
export class Parameters {
  constructor(private readonly values: ReadonlyMap<string, readonly unknown[]>) {}

  /** The same with another value of one of them. */
  with(name: string, value: string): Parameters {
    return new Parameters(new Map([...this.values, [name, value === '' ? [] : [value]]]));
  }

  /** @throws RequestError `parameter_flawed` where it is repeated, too long or not text. */
  optional(name: string): string | undefined {
    const [value, ...more] = this.all(name);
    if (more.length > 0) throw new RequestError('parameter_flawed');
    return value;
  }

  /** The value of a form field: '' where it was left empty, undefined where it is absent. @throws RequestError `parameter_flawed` */
  entered(name: string): string | undefined {
    return this.optional(name) ?? (this.values.has(name) ? '' : undefined);
  }

  /** @throws RequestError `parameter_flawed`, or `parameter_missing` where it is absent or empty. */
  required(name: string): string {
    const value = this.optional(name);
    if (value === undefined) throw new RequestError('parameter_missing');
    return value;
  }

  all(name: string): readonly string[] {
    const values = this.values.get(name) ?? [];
    if (!values.every(isText)) throw new RequestError('parameter_flawed');
    return values;
  }

  /** Refuses any malformed or repeated parameter, known or not. Only `resource` may repeat. */
  requireWellFormed(): void {
    for (const name of this.values.keys()) {
      if (name === REPEATABLE) this.all(name);
      else this.optional(name);
    }
  }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.length <= LONGEST;

/** The parameters in a parsed body or query. @throws RequestError `parameter_flawed` for too many, or none at all */
export const parametersOf = (input: unknown): Parameters => {
  const values = new Map<string, unknown[]>();
  let count = 0;
  for (const [name, value] of entriesOf(input)) {
    const known = values.get(name) ?? [];
    values.set(name, known);
    // For any other parameter a list stays one value, which is refused because it is not text.
    for (const one of name === REPEATABLE && Array.isArray(value) ? (value as unknown[]) : [value]) {
      count += 1;
      if (count > MOST) throw new RequestError('parameter_flawed');
      if (one !== '') known.push(one);
    }
  }
  return new Parameters(values);
};

const entriesOf = (input: unknown): Iterable<[string, unknown]> => {
  if (input instanceof URLSearchParams) return input;
  if (input === undefined || input === null) return [];
  if (typeof input !== 'object' || Array.isArray(input)) throw new RequestError('parameter_flawed');
  return Object.entries(input);
};

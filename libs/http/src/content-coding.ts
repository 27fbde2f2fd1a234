import { LRUCache } from 'lru-cache';

/** A content coding that we make (RFC 9110 §8.4.1). */
export type Coding = 'br' | 'gzip';

/** What callers accept, by the field that they send: there are few of them. */
const accepted = new LRUCache<string, { readonly coding: Coding | null }>({ max: 100 });

/** The coding that a caller likes best (RFC 9110 §12.5.3), of two that it likes alike the smaller one; null: none. */
export const codingFor = (field: string | undefined): Coding | null => {
  if (field === undefined) return null;
  const known = accepted.get(field) ?? { coding: preferred(field) };
  if (field.length <= 200) accepted.set(field, known);
  return known.coding;
};

const preferred = (field: string): Coding | null => {
  const weights = new Map(field.split(',').map(weighed));
  const others = weights.get('*');
  const [br, zipped] = [weights.get('br') ?? others ?? 0, weights.get('gzip') ?? weights.get('x-gzip') ?? others ?? 0];
  const best = Math.max(br, zipped);
  // As it is an answer is always welcome; but only who says so likes it as much.
  if (!(best > 0) || (weights.get('identity') ?? 0) > best) return null;
  return br === best ? 'br' : 'gzip';
};

const weighed = (one: string): readonly [coding: string, weight: number] => {
  const [coding = '', ...parameters] = one.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
  return [coding, /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight) : 0];
};

import fc from 'fast-check';
import { anyText } from '#testing';
import type { Condition, Filter, Value } from '../query.js';
import type { SettingOf } from './setting.contract.js';

interface Body {
  readonly city: string | null;
  readonly price: number | null;
  readonly open: boolean | null;
}

const text = fc
  .oneof(fc.constantFrom('a', 'ab', 'b', 'A', 'é', 'z\u{1f6eb}', ''), anyText({ maxLength: 3 }))
  .filter((string) => !string.includes('\0'));
const price = fc.constantFrom(-1, 0, 1, 1.5, 10, 2 ** 53 - 1);
const bodies = fc.array(
  fc.record<Body>({
    city: fc.option(text),
    price: fc.option(price),
    open: fc.option(fc.boolean()),
  }),
  { maxLength: 12 },
);
const condition: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({ field: fc.constant('city'), equals: fc.option(text) }),
  fc.record({ field: fc.constant('price'), equals: fc.option(price) }),
  fc.record({ field: fc.constant('open'), equals: fc.option(fc.boolean()) }),
  fc.record({ field: fc.constant('city'), atLeast: text, below: text }, { requiredKeys: ['field'] }),
  fc.record({ field: fc.constant('price'), atLeast: price, below: price }, { requiredKeys: ['field'] }),
);
const conditions = fc.array(condition, { maxLength: 2 });
const filter: fc.Arbitrary<Filter> = fc.record(
  { where: conditions, anyOf: fc.array(conditions, { maxLength: 2 }) },
  { requiredKeys: ['where'] },
);
const sort = fc.record({
  field: fc.constantFrom('city', 'price', 'open'),
  direction: fc.constantFrom('ascending', 'descending'),
} as const);

/** Any query returns what the same one over an array does. */
export const modelContract = (setting: SettingOf): void => {
  it('answers any query as a sorted and filtered array would', async () => {
    const { store } = setting();
    let run = 0;
    const answersAsArray = async (all: readonly Body[], asked: Filter, order: Order, limit: number) => {
      run += 1;
      const name = `run-${run}`;
      await store.prepare({ name, indexes: [{ fields: ['city', 'price'] }, { fields: ['open'] }] });
      const documents = all.map((body, place) => ({ id: `d${place}`, version: 1, body }));
      await Promise.all(documents.map(({ id, body }) => store.insert(name, id, body)));
      const expected = documents.filter(({ body }) => matches(body, asked)).sort(by(order));
      expect(await store.find(name, { ...asked, sort: order, limit })).toEqual(expected.slice(0, limit));
      expect(await store.count(name, asked)).toBe(expected.length);
      await store.drop(name);
    };
    await fc.assert(fc.asyncProperty(bodies, filter, sort, fc.integer({ min: 1, max: 12 }), answersAsArray));
  });
};

type Order = { readonly field: 'city' | 'price' | 'open'; readonly direction: 'ascending' | 'descending' };

const matches = (body: Body, { where, anyOf }: Filter): boolean =>
  where.every((one) => holds(body, one)) && (anyOf?.some((all) => all.every((one) => holds(body, one))) ?? true);

const holds = (body: Body, asked: Condition): boolean => {
  const value = body[asked.field as keyof Body];
  if ('equals' in asked) return value === asked.equals;
  const { atLeast = null, below = null } = asked;
  return value !== null && compare(value, atLeast) >= 0 && (below === null || compare(value, below) < 0);
};

const by =
  ({ field, direction }: Order) =>
  (one: { id: string; body: Body }, other: { id: string; body: Body }): number =>
    (compare(one.body[field], other.body[field]) || compare(one.id, other.id)) * (direction === 'ascending' ? 1 : -1);

/** null first, then numbers and booleans by value, or strings by code points. */
const compare = (one: Value, other: Value): number => {
  if (one === null || other === null) return Number(one !== null) - Number(other !== null);
  if (typeof one === 'string' && typeof other === 'string') return Buffer.compare(Buffer.from(one), Buffer.from(other));
  return Number(one) - Number(other);
};

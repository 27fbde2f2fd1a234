import type { Checkpoint } from '#verifier';
import type { Books } from '../support/books.js';
import { soundBooks } from '../support/sound-log.js';
import { swept } from '../support/sweep.js';
import { CORRUPTIONS } from './corruptions.js';
import { AuditedStores, Draft } from './draft.js';

const ORDERS = swept({ short: 8, middle: 100, full: 10_000 });

let books: Books;
let stores: AuditedStores;
let kept: Checkpoint;

beforeAll(async () => {
  books = await soundBooks(ORDERS);
  stores = await AuditedStores.open();
  kept = stores.checkpointOf(Draft.of(books));
}, 600_000);

/** The rules that an audit finds broken, without a checkpoint that was kept and with it. */
const audited = async (draft: Draft) => {
  const rulesOf = async (checkpoints: readonly (readonly [string, Checkpoint])[]) => {
    const { breaches } = await stores.audit(draft, { checkpoints });
    return new Set(breaches.map(({ rule }) => rule));
  };
  return { alone: await rulesOf([]), beside: await rulesOf([['a checkpoint that was kept', kept]]) };
};

describe(`a sound log of ${ORDERS} orders`, () => {
  it('breaks no rule', async () => {
    const draft = Draft.of(books);
    await stores.seal(kept);
    expect(await audited(draft)).toEqual({ alone: new Set(), beside: new Set() });
  });

  it('is corrupted in more than forty ways', () => {
    expect(CORRUPTIONS.length).toBeGreaterThan(40);
    expect(new Set(CORRUPTIONS.map(({ name }) => name)).size).toBe(CORRUPTIONS.length);
  });

  it.each(CORRUPTIONS.map((one) => [one.name, one] as const))(
    '%s: it is found by its rule',
    async (_, { by, found, hidden }) => {
      const draft = Draft.of(books);
      by(draft);
      if (hidden !== 'edited') draft.rehash();
      const now = stores.checkpointOf(draft);
      await stores.seal(hidden ? kept : now);
      const { alone, beside } = await audited(draft);
      if (found === 'nothing') expect(alone).toEqual(new Set());
      else expect(alone).toContain(found);
      // What is sealed anew is hidden from its own head, and from no checkpoint that lies elsewhere.
      const isTouched = Buffer.compare(now.root, kept.root) !== 0;
      const isShorter = now.size < kept.size;
      expect(beside.has('checkpoint')).toBe(isTouched && !isShorter);
      expect(beside.has('cut')).toBe(isShorter);
      expect(alone.has('sealed')).toBe(hidden !== undefined && isTouched && !isShorter);
      expect(alone.has('cut')).toBe(hidden !== undefined && isShorter);
    },
    600_000,
  );
});

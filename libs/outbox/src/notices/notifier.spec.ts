import { Leases, LEASES } from '#documents';
import { ManualClock, until } from '#testing';
import { MemoryDocuments } from '../../../documents/src/testing/index.js';
import type { MailSender } from './mail-sender.js';
import type { NoticeWriter } from './notice-writer.js';
import { Notifier } from './notifier.js';

const LEASE = 6_000;
const FIGURES = { waiting: 1, oldestSeconds: 2 };

const clock = new ManualClock();
const documents = new MemoryDocuments(clock);
beforeAll(() => documents.prepare(LEASES));

const rounds: string[] = [];
const errors: unknown[] = [];

/** A process, of which each round is noted. */
const processOf = (name: string, { isFailing = false, isAlone = false } = {}): Notifier => {
  const note = (what: string) => async () => {
    rounds.push(`${name} ${what}`);
    if (isFailing && what === 'sends') throw new Error('no mail server');
    return Promise.resolve();
  };
  return new Notifier({
    // Only what it does in a round is wanted of them.
    writer: { write: note('writes') } as unknown as NoticeWriter,
    sender: { send: note('sends'), figures: () => Promise.resolve(FIGURES) } as unknown as MailSender,
    prepare: () => Promise.resolve(),
    lease: isAlone ? null : { leases: new Leases(documents, clock, name), milliseconds: LEASE },
    clock,
    onError: (error) => errors.push(error),
  });
};

const passes = async (milliseconds: number): Promise<void> => {
  for (let passed = 0; passed < milliseconds; passed += 250) {
    await new Promise(setImmediate);
    clock.advance(250);
  }
};

it('works in one process of several, and goes on in another', async () => {
  const [one, other] = [processOf('one'), processOf('other')];
  one.start();
  await until(() => rounds.length > 0);
  other.start();
  await passes(3 * LEASE);
  expect(new Set(rounds)).toEqual(new Set(['one writes', 'one sends']));
  expect(await Promise.all([one.figures(), other.figures()])).toEqual([FIGURES, null]);
  await Promise.all([one.stop(), passes(1_000)]);
  rounds.splice(0);
  await passes(LEASE);
  expect(new Set(rounds)).toEqual(new Set(['other writes', 'other sends']));
  expect(await Promise.all([one.figures(), other.figures()])).toEqual([null, FIGURES]);
  await Promise.all([other.stop(), passes(1_000)]);
});

it('keeps notices up while no mail goes out, which is tried with growing pauses', async () => {
  rounds.splice(0);
  const failing = processOf('failing', { isFailing: true, isAlone: true });
  failing.start();
  await passes(60_000);
  const of = (what: string) => rounds.filter((round) => round.endsWith(what)).length;
  expect(of('writes')).toBeGreaterThan(200);
  expect(of('sends')).toBeLessThan(10);
  expect(errors).toHaveLength(of('sends'));
  await Promise.all([failing.stop(), passes(1_000)]);
});

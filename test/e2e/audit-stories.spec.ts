import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { alcada, type Ended, failure } from '../support/alcada.js';
import type { Booking, Mandate, Order } from '../support/answers.js';
import {
  bodyOf,
  book,
  buy,
  DECLINED_CARD,
  giveBack,
  grant,
  mandateNow,
  order,
  TRIP_PRICE,
} from '../support/purchase.js';
import { sealed } from '../support/sealed.js';
import { SettingOnFiles } from '../support/setting.js';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

const setting = new SettingOnFiles({ TLOG_INTERVAL: '0.05' });
let mandate: Mandate;
let booking: Booking;
let bought: Order;
let holder: string;

const audit = (...args: readonly string[]): Promise<Ended> => alcada(setting.folder, ['audit', ...args]);
const audited = async <Document>(...args: readonly string[]): Promise<Document> => {
  const { code, stdout } = await audit(...args, '--json');
  expect(code).toBe(0);
  return JSON.parse(stdout) as Document;
};
/** Documents that stand on lines of their own. */
const lines = ({ stdout }: Ended): readonly Readonly<Record<string, unknown>>[] =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);

/** An order whose card is refused, the same booking paid, and one that is above what is left. */
beforeAll(async () => {
  const { ana } = setting;
  mandate = await grant(ana, TRIP_PRICE + 100_00);
  booking = await book(ana);
  bodyOf(await order(ana, booking, mandate, DECLINED_CARD), 402);
  bought = await buy(ana, booking, mandate);
  bodyOf(await order(ana, await book(ana), mandate), 422);
  ({ holder } = await audited<{ readonly holder: string }>('mandate', mandate.id));
});

describe('alcada audit mandate', () => {
  it('tells the life of a mandate with what is left after each event, why a charge was refused, and its verdict', async () => {
    const { code, stdout } = await audit('mandate', mandate.id);
    expect(code).toBe(0);
    const rows = stdout.replaceAll(/\d\d:\d\d:\d\d/g, 'time').replaceAll(/\b[0-9a-f]{8}\b(?!-)/g, 'order-id');
    expect(rows).toContain(
      `Mandate ${mandate.id}\n  traveller  ana@example.com (${holder})\n  agent      alcada-pilot\n`,
    );
    expect(rows).toContain(' event      agent           order        amount   reserved   consumed  remaining\n');
    expect(rows).toContain(
      'time @1     reserved   alcada-pilot    order-id     279,90     279,90       0,00     100,00\n',
    );
    expect(rows).toContain(
      'time @2     released   alcada-pilot    order-id     279,90       0,00       0,00     379,90\n',
    );
    expect(rows).toContain(
      'time @4     consumed   alcada-pilot    order-id     279,90       0,00     279,90     100,00\n',
    );
    expect(rows).toMatch(
      / refused +alcada-pilot +279,90 +0,00 +279,90 +100,00\n +why: mandate_limit_exceeded; CGH → CNF \(AL1201\)\n/,
    );
    expect(rows).toMatch(/\n {2}stands {3}valid: 279,90 consumed, 0,00 reserved, 100,00 left of 379,90 BRL; ends /);
    expect(rows).toMatch(/\n {2}verdict {2}sound: every rule holds, and the chain of 6 events is unbroken\n$/);
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
  });

  it('tells it as it stood at a revision or at a time', async () => {
    const { standing, steps } = await audited<{
      readonly standing: unknown;
      readonly steps: readonly { at: string }[];
    }>('mandate', mandate.id.slice(0, 8), '--at', '1');
    expect(standing).toMatchObject({ status: 'valid', consumed: 0, reserved: TRIP_PRICE, remaining: 100_00 });
    expect(steps).toHaveLength(2);
    const then = await audited('mandate', mandate.id, '--at', steps[0]?.at ?? '');
    expect(then).toMatchObject({
      standing: { reserved: 0, remaining: TRIP_PRICE + 100_00 },
      steps: [{ type: 'MandateCreated' }],
    });
    expect(await audit('mandate', mandate.id, '--at', '2001-01-01')).toMatchObject(failure(1, 'it did not exist then'));
    expect(await audit('mandate', mandate.id, '--at', '99')).toMatchObject(failure(1, 'its last event is revision 5'));
  });

  it('follows it until it is over', async () => {
    const other = await grant(setting.ana, TRIP_PRICE);
    const following = audit('mandate', other.id, '--follow', '--json');
    await buy(setting.ana, await book(setting.ana), other);
    await setting.ana.call('DELETE', `/mandates/${other.id}`);
    const ended = await following;
    expect(ended.code).toBe(0);
    expect(lines(ended).map(({ type }) => type)).toEqual([
      ...['MandateCreated', 'MandateReserved', 'MandateConsumed', 'MandateRevoked'],
      undefined,
    ]);
    expect(lines(ended).at(-1)).toMatchObject({ mandateId: other.id, standing: { status: 'revoked' }, breaches: [] });
    expect(await mandateNow(setting.ana, other)).toMatchObject({ status: 'revoked' });
  });
});

describe('alcada audit order and booking', () => {
  it('tell an order across its streams, the charge between what led to it and what followed', async () => {
    const { lines: told, orders } = await audited<{
      readonly lines: readonly { readonly what: string; readonly stream: string }[];
      readonly orders: readonly unknown[];
    }>('order', bought.id);
    expect(await audited('order', `R-${bought.ticketCode}`)).toMatchObject({ id: bought.id });
    expect(await audit('order', '9770000009995')).toMatchObject(failure(1, 'no order has the ticket 9770000009995'));
    const whats = told.map(({ what }) => what);
    expect(whats[0]).toBe('checkout started');
    expect(whats.slice(1, 4).toSorted()).toEqual(['placed', 'reserved', 'seats held']);
    expect(whats[4]).toBe('captured');
    expect(whats.slice(5, 7).toSorted()).toEqual(['consumed', 'paid']);
    expect(whats.slice(7)).toEqual(['ticketed']);
    expect(orders).toMatchObject([
      { orderId: bought.id, status: 'paid', ledger: { status: 'captured' }, breaches: [] },
    ]);
  });

  it('tell a booking with the order that failed and the one that was paid, for people within 100 columns', async () => {
    const { code, stdout } = await audit('booking', booking.id);
    expect(code).toBe(0);
    expect(stdout).toMatch(/ledger [0-9a-f]{8} +refused +processor +payment_declined\n/);
    expect(stdout).toMatch(/ledger [0-9a-f]{8} +captured +processor +R\$ 279,90 {2}visa •••• 4242\n/);
    expect(stdout).toContain(
      'Now\n  orders   1 paid, R$ 279,90; 1 failed\n  verdict  sound: streams and payment ledger agree\n',
    );
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
  });
});

describe('a cancelled order', () => {
  it('is told with what came back, in its mandate, its order and all of its traveller', async () => {
    const { ana } = setting;
    const other = await grant(ana, TRIP_PRICE);
    const one = await buy(ana, await book(ana), other);
    const back = await giveBack(ana, one);
    expect(back).toBeGreaterThan(0);
    const cents = (value: number) => `${Math.floor(value / 100)},${String(value % 100).padStart(2, '0')}`;
    const { stdout } = await audit('mandate', other.id);
    expect(stdout).toMatch(new RegExp(` refunded +alcada-pilot +[0-9a-f]{8} +${cents(back)} +0,00 `));
    const kept = cents(TRIP_PRICE - back);
    expect(stdout).toContain(`279,90 charged, ${cents(back)} refunded: ${kept} consumed\n`);
    const { lines: told, refunds } = await audited<{
      readonly lines: readonly { readonly what: string; readonly by: string }[];
      readonly refunds: readonly unknown[];
    }>('order', one.id);
    const after = told.map(({ what, by }) => `${what} by ${by}`).slice(8);
    expect(after.slice(0, 2)).toEqual(['cancellation begun by alcada-pilot', 'refunded by processor']);
    expect(after.slice(2, 4).toSorted()).toEqual(['refunded by alcada-pilot', 'seats released by alcada-pilot']);
    expect(after.slice(4)).toEqual(['cancelled by alcada-pilot']);
    expect(refunds).toMatchObject([{ orderId: one.id, status: 'refunded', amount: { amount: back }, breaches: [] }]);
    const all = await audit('holder', holder);
    expect(all.stdout).toContain(`\n  refunds  1 cancelled, R$ ${cents(back)} back\n  verdict  sound`);
  });
});

describe('alcada audit holder and agent', () => {
  it('tell everything of a traveller, and how their orders came out', async () => {
    const { code, stdout } = await audit('holder', holder);
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`^Traveller ${holder}\\n {2}e-mail {2}ana@example.com\\n`));
    expect(stdout).toMatch(/ delegation +agent let in +alcada-pilot +5 scopes\n/);
    expect(stdout).toMatch(
      / charge refused +alcada-pilot +R\$ 279,90 {2}mandate_limit_exceeded; CGH → CNF \(AL1201\)\n/,
    );
    expect(stdout).toMatch(
      /\n {2}orders {3}\d paid, R\$ [\d.,]+; 1 failed\n {2}refunds {2}1 cancelled.*\n {2}verdict {2}sound/,
    );
  });

  it('tell programs each line by itself and then the verdict', async () => {
    const told = lines(await audit('agent', 'alcada-pilot', '--json'));
    expect(told.filter(({ what }) => what === 'captured').length).toBeGreaterThan(0);
    expect(told.at(-1)).toMatchObject({
      id: 'alcada-pilot',
      name: 'Cliente piloto',
      lines: told.length - 1,
      breaches: [],
    });
  });
});

describe('alcada audit diff', () => {
  const kept = async (name: string, note: string): Promise<string> => {
    const file = join(setting.folder, name);
    await writeFile(file, note);
    return file;
  };

  it('tells what was added between two checkpoints, whichever is named first, and that both are of this log', async () => {
    const before = await sealed(setting.service);
    const more = await grant(setting.ana, 2 * TRIP_PRICE);
    await buy(setting.ana, await book(setting.ana), more);
    const after = await sealed(setting.service);
    const files = [await kept('after', after.checkpoint), await kept('before', before.checkpoint)];
    const found = await audited('diff', ...files, '--events');
    expect(found).toMatchObject({ from: before.size, to: after.size, breaches: [] });
    expect(found).toMatchObject({
      added: expect.arrayContaining([
        { type: 'MandateCreated', count: 1, amounts: [{ amount: 2 * TRIP_PRICE, currency: 'BRL' }] },
        { type: 'OrderPaid', count: 1, amounts: [{ amount: TRIP_PRICE, currency: 'BRL' }] },
      ]),
    });
    const { events } = found as { readonly events: readonly { readonly what: string }[] };
    expect(events).toHaveLength(after.size - before.size);
    const { code, stdout } = await audit('diff', ...files);
    expect(code).toBe(0);
    expect(stdout).toMatch(/: from \d+ to \d+ entries\n {2}added {4}\d+ entries, \d+ streams begun\n/);
    expect(stdout).toMatch(/\n {2}verdict {2}both are checkpoints of this log\n\nevent +times +amount\n/);
    expect(stdout).toMatch(/\nOrderPaid +1 {2}R\$ 279,90\n/);
  });

  it('names a checkpoint that is not of this log', async () => {
    const { checkpoint } = await sealed(setting.service);
    const [origin = '', size = '', root = ''] = checkpoint.split('\n');
    const own = await kept('own', checkpoint);
    const cases = [
      [`${origin}\n${size}\n${'A'.repeat(43)}=\n`, 'the log was forked'],
      [`${origin}\n${Number(size) - 1}\n${root}\n`, 'are not those of the checkpoint'],
      [`${origin}\n${Number(size) + 1_000}\n${root}\n`, 'its tail was cut'],
    ] as const;
    for (const [note, why] of cases) {
      const { code, stdout, stderr } = await audit('diff', own, await kept('forged', note));
      expect([code, stderr]).toEqual([1, expect.stringContaining('alcada audit: 1 breach\n')]);
      expect(stdout).toContain(why);
      expect(stdout).toContain('verdict  NOT SOUND');
    }
    const foreign = await kept('foreign', `other.example/tlog\n${size}\n${root}\n`);
    for (const [other, why] of [
      [own, 'different logs'],
      [foreign, `is a checkpoint of other.example/tlog, and this log is ${origin}`],
    ] as const)
      expect(await audit('diff', other, foreign)).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining(why),
      });
  });
});

describe('an audit story', () => {
  it.each([
    ['an unknown mandate', ['mandate', UNKNOWN], 1, `there is no mandate ${UNKNOWN}`],
    ['an unknown order', ['order', UNKNOWN], 1, `there is no order ${UNKNOWN}`],
    ['an unknown beginning', ['booking', '00000000'], 1, 'no booking begins with 00000000'],
    ['what is no id', ['order', 'ana@example.com'], 1, 'is no id (order)'],
    ['an unknown traveller', ['holder', UNKNOWN], 1, `the log has nothing about ${UNKNOWN}`],
    ['a time and the present', ['mandate', UNKNOWN, '--at', '1', '--follow'], 2, 'not both'],
    ['no time', ['mandate', UNKNOWN, '--at', 'noon'], 2, 'give a revision, or a time'],
  ])('of %s is refused', async (_, args, code, why) => {
    expect(await audit(...args)).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(why) });
  });
});

import type { AuditedEvent, Json } from '../audited-event.js';
import { replayMandate } from './mandate.js';

const STREAM = 'mandate-m1';
const minute = (minutes: number, seconds = 0) => new Date(Date.UTC(2026, 0, 15, 12, minutes, seconds)).toISOString();
const brl = (amount: number) => ({ amount, currency: 'BRL' });
const AGENT = 'pilot';

type Told = readonly [type: string, data: Json, minutes?: number, seconds?: number];

const eventsOf = (told: readonly Told[]): AuditedEvent[] =>
  told.map(([type, data, minutes = 0, seconds = 0], revision) => {
    const isOwn = ['MandateApproved', 'MandateNarrowed', 'MandatePaused', 'MandateResumed'].includes(type);
    const actor = { holder: 'ana', clientId: isOwn ? null : AGENT };
    const at = minute(minutes, seconds);
    const timed = Object.fromEntries(Object.entries(data).map(([name, value]) => [name, value === 'now' ? at : value]));
    const metadata = { eventId: `e${revision}`, occurredAt: at, actor, schemaVersion: 1, hash: '' };
    return { stream: STREAM, revision, type, data: timed, metadata };
  });

const replayed = (...told: readonly Told[]) => replayMandate(STREAM, eventsOf(told));
/** Rules broken, each with its revision. */
const broken = (...told: readonly Told[]) =>
  replayed(...told).breaches.map(({ rule, revision }) => `${rule}@${revision}`);

const SCOPE = ['order:write', 'payment:execute'];
const terms = { mandateId: 'm1', holder: 'ana', clientId: AGENT, scope: SCOPE, limit: brl(1000), minutes: 60 };
const created = (more: Json = {}): Told => [
  'MandateCreated',
  { ...terms, startsAt: minute(0), expiresAt: minute(60), grantedBy: 'agent', ...more },
];
const reserved = (orderId: string, cents: number, minutes = 1, more: Json = {}): Told => [
  'MandateReserved',
  { orderId, bookingId: 'b1', amount: brl(cents), holdBefore: minute(minutes + 1), reservedAt: 'now', ...more },
  minutes,
];
const consumed = (orderId: string, cents: number, minutes = 1): Told => [
  'MandateConsumed',
  { orderId, amount: brl(cents), consumedAt: 'now' },
  minutes,
];
const released = (orderId: string, cents: number, minutes = 1, holdBefore = minute(minutes + 1)): Told => [
  'MandateReleased',
  { orderId, amount: brl(cents), holdBefore, releasedAt: 'now' },
  minutes,
];
const refused = (reason: string, cents: number, minutes = 1, more: Json = {}): Told => [
  'MandateChargeRefused',
  { orderId: 'o9', reason, amount: brl(cents), refusedAt: 'now', ...more },
  minutes,
];
const revoked: Told = ['MandateRevoked', { revokedAt: 'now' }, 1];
const paused: Told = ['MandatePaused', { pausedAt: 'now' }, 1];
const requested: Told = ['MandateRequested', { ...terms, requestedAt: minute(0), lapsesAt: minute(15) }];
const approved: Told = ['MandateApproved', { limit: brl(500), minutes: 60, startsAt: 'now', expiresAt: minute(61) }, 1];
const narrowed = (cents: number, expiresAt = minute(60)): Told => [
  'MandateNarrowed',
  { limit: brl(cents), expiresAt, narrowedAt: 'now' },
  2,
];

describe('a mandate, replayed', () => {
  it('is a table of what was set aside, spent and left after each event', () => {
    const { steps, breaches } = replayed(
      created(),
      reserved('o1', 400),
      consumed('o1', 400),
      reserved('o2', 500, 2),
      refused('mandate_limit_exceeded', 101, 2),
      released('o2', 500, 2),
      reserved('o3', 600, 3),
      consumed('o3', 600, 3),
      ['MandateExpired', { expiredAt: 'now' }, 60],
    );
    expect(breaches).toEqual([]);
    expect(
      steps.map(({ orderId, amount, reserved: held, consumed: spent, remaining, status, refusal }) =>
        [orderId, amount?.amount, held, spent, remaining, status, refusal].join(' '),
      ),
    ).toEqual([
      '  0 0 1000 valid ',
      'o1 400 400 0 600 valid ',
      'o1 400 0 400 600 valid ',
      'o2 500 500 400 100 valid ',
      'o9 101 500 400 100 valid mandate_limit_exceeded',
      'o2 500 0 400 600 valid ',
      'o3 600 600 400 0 valid ',
      'o3 600 0 1000 0 exhausted ',
      '  0 1000 0 expired ',
    ]);
    expect(steps[0]).toMatchObject({ agent: AGENT, at: minute(0), limit: brl(1000) });
  });

  it.each([
    [{ ...brl(5), cents: 5 }, null],
    [{ amount: 5, currency: 'real' }, null],
    [brl(5), brl(5)],
  ])('shows of a step that has no form the amount %j as %j', (amount, shown) => {
    const { steps } = replayed(created(), ['MandateConsumed', { amount }]);
    expect(steps[1]?.amount).toEqual(shown);
  });

  it('is settled until an event is later, be it one of no form', () => {
    const again = reserved('o1', 1, 2, { holdBefore: minute(2) });
    const unformed: Told = ['MandatePaused', {}, 5];
    const begun = [created(), released('o1', 0, 1, minute(4))];
    expect(broken(...begun, again)).toEqual(['fence@2']);
    expect(broken(...begun, unformed, again)).toEqual(['form@2', 'time@3']);
  });

  it('has the sums of doubles, where they are above 2^53', () => {
    const most = Number.MAX_SAFE_INTEGER;
    const { steps } = replayed(created(), reserved('o1', most), reserved('o2', most), reserved('o3', 1));
    expect(steps.map((step) => step.reserved)).toEqual([0, most, 2 * most, 2 ** 54]);
  });

  it('that was asked for lives on the terms that were approved', () => {
    const { steps, breaches } = replayed(requested, approved, [
      'MandateCreated',
      { ...terms, limit: brl(500), startsAt: minute(1), expiresAt: minute(61), grantedBy: 'traveller' },
      1,
    ]);
    expect(breaches).toEqual([]);
    expect(steps.map(({ status, limit }) => `${status} ${limit.amount}`)).toEqual([
      'requested 1000',
      'requested 1000',
      'valid 500',
    ]);
  });

  it.each<readonly [string, Json, Json]>([
    ['another scope', { scope: ['order:write'] }, { scope: SCOPE }],
    ['no constraints', { constraints: { maxOrders: 1 } }, { constraints: {} }],
    ['another constraint', { constraints: { maxOrders: 1 } }, { constraints: { maxOrders: 2 } }],
    ['another agent', {}, { clientId: 'another' }],
    ['another traveller', {}, { holder: 'bia' }],
    ['another ceiling', {}, { limit: brl(501) }],
    ['another end', {}, { expiresAt: minute(62), minutes: 61 }],
    ['the word of an agent', {}, { grantedBy: 'agent' }],
  ])('is not created with %s than was asked for and approved', (_, asked, given) => {
    const request: Told = ['MandateRequested', { ...terms, requestedAt: minute(0), lapsesAt: minute(15), ...asked }];
    const granted = { ...terms, limit: brl(500), startsAt: minute(1), expiresAt: minute(61), grantedBy: 'traveller' };
    expect(broken(request, approved, ['MandateCreated', { ...granted, ...asked }, 1])).toEqual([]);
    expect(broken(request, approved, ['MandateCreated', { ...granted, ...asked, ...given }, 1])).toEqual(['terms@2']);
  });

  it('never passes its ceiling', () => {
    expect(broken(created(), reserved('o1', 600), reserved('o2', 401))).toEqual(['ceiling@2']);
    expect(broken(created(), narrowed(500), reserved('o1', 501, 3))).toEqual(['ceiling@2']);
  });

  it('is paused by itself and with everything apart, and by no pause that was undone', () => {
    const withAll = (pause: number): Told => ['MandatePaused', { pause, pausedAt: 'now' }, 1];
    const letGo = (pause: number): Told => ['MandateResumed', { pause, resumedAt: 'now' }, 1];
    const resumed: Told = ['MandateResumed', { resumedAt: 'now' }, 1];
    expect(broken(created(), paused, withAll(1), letGo(1), reserved('o1', 1))).toEqual(['while-paused@4']);
    expect(broken(created(), paused, withAll(1), resumed, reserved('o1', 1))).toEqual(['while-paused@4']);
    expect(broken(created(), withAll(1), paused, letGo(1), resumed, reserved('o1', 1))).toEqual([]);
    expect(broken(created(), withAll(1), withAll(2), letGo(2), reserved('o1', 1))).toEqual([]);
    expect(broken(created(), withAll(1), withAll(1))).toEqual(['life@2']);
    expect(broken(created(), withAll(1), letGo(1), withAll(1))).toEqual(['life@3']);
    expect(broken(created(), withAll(2), letGo(1))).toEqual(['life@2']);
    expect(broken(created(), letGo(1))).toEqual(['life@1']);
  });

  it('reserves nothing while it may not', () => {
    expect(broken(created(), revoked, reserved('o1', 1))).toEqual(['after-revocation@2']);
    expect(broken(created(), reserved('o1', 1, 60))).toEqual(['after-expiry@1']);
    expect(broken(created(), paused, reserved('o1', 1))).toEqual(['while-paused@2']);
    expect(broken(requested, reserved('o1', 1))).toEqual(['while-pending@1']);
    expect(broken(created({ scope: ['booking:write'] }), reserved('o1', 1))).toEqual(['scope@1']);
    const pays = created({ scope: ['payment:execute'] });
    expect(broken(pays, reserved('o1', 1))).toEqual(['scope@1']);
    expect(broken(pays, reserved('o1', 1, 1, { ap2: true }))).toEqual([]);
    expect(broken(pays, refused('mandate_scope_insufficient', 1))).toEqual([]);
    expect(broken(pays, refused('mandate_scope_insufficient', 1, 1, { ap2: true }))).toEqual(['refusal@1']);
    expect(broken(created(), reserved('o1', 1, 1, { amount: { amount: 1, currency: 'EUR' } }))).toEqual(['currency@1']);
    expect(broken(created({ clientId: 'other' }), reserved('o1', 1))).toEqual(['agent@1']);
    const one = created({ constraints: { maxOrders: 1 } });
    expect(broken(one, reserved('o1', 1), consumed('o1', 1), reserved('o2', 1))).toEqual(['constraint@3']);
  });

  it('reserves once an order, in time, and not behind a fence', () => {
    expect(broken(created(), reserved('o1', 1), reserved('o1', 1))).toEqual(['reservation@2']);
    expect(broken(created(), released('o1', 0), reserved('o1', 1))).toEqual(['fence@2']);
    expect(broken(created(), reserved('o1', 1), consumed('o1', 1), reserved('o1', 1))).toEqual(['fence@3']);
    expect(broken(created(), reserved('o1', 1, 3, { holdBefore: minute(2) }))).toEqual(['fence@1']);
  });

  it('reserves in the name of its agent, and never in that of the service', () => {
    const [first, second] = eventsOf([created(), reserved('o1', 1)]);
    if (!first || !second) throw new Error('there are two');
    const byNobody = { ...second, metadata: { ...second.metadata, actor: { holder: 'ana', clientId: null } } };
    expect(replayMandate(STREAM, [first, byNobody]).breaches.map(({ rule }) => rule)).toEqual(['agent']);
  });

  it('breaks one rule alone where several are in the way of a reservation: the first', () => {
    expect(broken(created(), reserved('o1', 1001, 60))).toEqual(['after-expiry@1']);
    expect(broken(created({ constraints: { maxOrders: 1 } }), reserved('o1', 1), reserved('o2', 1000))).toEqual([
      'constraint@2',
    ]);
  });

  it('keeps the currency of what it reserved', () => {
    const usd = { amount: { amount: 300, currency: 'USD' } };
    expect(broken(created(), reserved('o1', 300, 1, usd), released('o1', 300))).toEqual(['currency@1', 'release@2']);
    expect(broken(created(), reserved('o1', 300, 1, usd), consumed('o1', 300))).toEqual([
      'currency@1',
      'consumption@2',
    ]);
  });

  it('settles an order by consuming for it, even where nothing was reserved', () => {
    expect(broken(created(), consumed('o1', 1), reserved('o1', 1, 30))).toEqual(['consumption@1', 'fence@2']);
  });

  it('consumes and releases what it reserved, once', () => {
    expect(broken(created(), consumed('o1', 1))).toEqual(['consumption@1']);
    expect(broken(created(), reserved('o1', 1), consumed('o1', 2))).toEqual(['consumption@2']);
    expect(broken(created(), reserved('o1', 1), consumed('o1', 1), consumed('o1', 1))).toEqual(['consumption@3']);
    expect(broken(created(), reserved('o1', 2), released('o1', 1))).toEqual(['release@2']);
    expect(broken(created(), reserved('o1', 2), consumed('o1', 2), released('o1', 0))).toEqual(['release@3']);
    // Captured money is booked whatever became of the mandate meanwhile (rule 9).
    expect(broken(created(), reserved('o1', 1), revoked, consumed('o1', 1))).toEqual([]);
  });

  it('records the first reason that there was', () => {
    expect(broken(created(), refused('mandate_limit_exceeded', 1000))).toEqual(['refusal@1']);
    expect(broken(created(), refused('mandate_revoked', 1001))).toEqual(['refusal@1']);
    expect(broken(created(), revoked, refused('mandate_limit_exceeded', 1001))).toEqual(['refusal@2']);
    expect(broken(created(), revoked, refused('mandate_revoked', 1001))).toEqual([]);
    expect(broken(created(), refused('mandate_expired', 1, 60))).toEqual([]);
    const bounded = created({ constraints: { from: ['GRU'], maxOrders: 1 } });
    const by = (constraint: string) => refused('mandate_constraint_violated', 1, 1, { constraint });
    expect(broken(bounded, by('from'))).toEqual([]);
    expect(broken(bounded, by('to'))).toEqual(['refusal@1']);
    expect(broken(bounded, by('maxOrders'))).toEqual(['refusal@1']);
    const total = created({ constraints: { orderTotal: { min: brl(2), max: brl(10) } } });
    expect(broken(total, reserved('o1', 11), reserved('o2', 1), reserved('o3', 10))).toEqual([
      'constraint@1',
      'constraint@2',
    ]);
    expect(broken(total, by('orderTotal'))).toEqual([]);
    const within = refused('mandate_constraint_violated', 2, 1, { constraint: 'orderTotal' });
    expect(broken(total, within)).toEqual(['refusal@1']);
    expect(broken(bounded, reserved('o1', 1), by('maxOrders'), refused('mandate_limit_exceeded', 1000))).toEqual([
      'refusal@3',
    ]);
  });

  it('is narrowed to less, not below what is spent and set aside, and not to an end at once', () => {
    expect(broken(created(), narrowed(1001))).toEqual(['narrowing@1']);
    expect(broken(created(), reserved('o1', 600), narrowed(599))).toEqual(['narrowing@2']);
    expect(broken(created(), narrowed(1000, minute(61)))).toEqual(['narrowing@1']);
    expect(broken(created(), narrowed(1000, minute(2, 59)))).toEqual(['narrowing@1']);
    expect(broken(created(), narrowed(900, minute(3)))).toEqual([]);
  });

  it('lives once: nothing before its beginning, nothing decided after its end', () => {
    expect(broken(reserved('o1', 1))[0]).toBe('life@0');
    expect(broken(created(), created())).toEqual(['life@1']);
    expect(broken(created(), revoked, revoked)).toEqual(['life@2']);
    expect(broken(created(), ['MandateExpired', { expiredAt: 'now' }, 59])).toEqual(['life@1']);
    expect(broken(created(), ['MandateResumed', { resumedAt: 'now' }, 1])).toEqual(['life@1']);
    expect(broken(created(), paused, paused)).toEqual(['life@2']);
    expect(broken(['MandateAbandoned', { mandateId: 'm1', abandonedAt: 'now' }], created())[0]).toBe('life@1');
    expect(broken(requested, created())).toEqual(['life@1']);
    expect(broken(requested, approved, created({ expiresAt: minute(61), minutes: 61 }))).toEqual(['time@2', 'terms@2']);
    expect(broken(created({ mandateId: 'm2' }))).toEqual(['form@0']);
  });

  it('tells what has no form instead of failing on it', () => {
    expect(broken(created(), ['MandateReserved', { orderId: 7, reservedAt: 'now' }])).toEqual(['form@1']);
    expect(broken(created({ limit: 5 }))).toEqual(['form@0']);
    expect(broken(created({ limit: { ...brl(5), cents: 5 } }))).toEqual(['form@0']);
    expect(broken(created({ limit: brl(-5) }))).toEqual(['form@0']);
    expect(broken(created({ expiresAt: '2026-02-31T12:00:00.000Z' }))).toEqual(['form@0']);
    expect(broken(created({ constraints: { onSundays: true } }))).toEqual(['form@0']);
    expect(broken(created({ note: 'more members are let pass' }))).toEqual([]);
    expect(broken(created(), ['MandateDoubled', {}])).toEqual(['form@1']);
    expect(broken(created(), reserved('o1', 1, 1, { reservedAt: minute(0) }))).toEqual(['time@1']);
  });
});

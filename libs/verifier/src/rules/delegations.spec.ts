import type { AuditedEvent, AuditedMetadata, Json } from '../audited-event.js';
import { NEWEST } from '../version.js';
import { Delegations } from './delegations.js';

const AT = '2026-01-31T12:00:00.000Z';
const brl = (amount: number) => ({ amount, currency: 'BRL' });

/** The rules that the events of one delegation break. */
const brokenBy = (
  events: readonly (readonly [type: string, data: Json, actor?: AuditedMetadata['actor']])[],
): readonly string[] => {
  const delegations = new Delegations(
    () => null,
    NEWEST,
    (stream) => stream.startsWith('delegation-'),
    () => true,
  );
  const broken: string[] = [];
  events.forEach(([type, data, actor = { holder: 'ana', clientId: null }], revision) => {
    const metadata = {
      eventId: '',
      occurredAt: AT,
      actor,
      schemaVersion: 1,
      hash: '',
    };
    const event: AuditedEvent = { stream: 'delegation-ana.agente', revision, type, data, metadata };
    delegations.next(event, (rule) => broken.push(rule));
  });
  return broken;
};

const authorized = ['AgentAuthorized', { holder: 'ana', clientId: 'agente' }] as const;
const opened = (mandateId: string, cents: number) => ['MandateOpened', { mandateId, limit: brl(cents) }] as const;
const capped = (cents: number, ...ending: readonly string[]) =>
  ['SpendingCapSet', { cap: brl(cents), ending }] as const;

describe('the rules of a pause of everything', () => {
  it('open nothing before it is undone, and are the traveller’s own', () => {
    const [stopped, letGo] = [['AgentPaused', { pause: 1 }] as const, ['AgentResumed', { pause: 1 }] as const];
    expect(brokenBy([authorized, stopped, opened('a', 1)])).toEqual(['authorization']);
    expect(brokenBy([authorized, stopped, letGo, opened('a', 1)])).toEqual([]);
    const agent = { holder: 'ana', clientId: 'another' };
    expect(brokenBy([authorized, [...stopped, agent], [...letGo, agent]])).toEqual(['actor', 'actor']);
  });
});

describe('the rules of a cap', () => {
  it('end the youngest that do not fit beside the older ones', () => {
    expect(brokenBy([authorized, opened('a', 100), opened('b', 100), capped(100, 'b')])).toEqual([]);
    expect(brokenBy([authorized, opened('a', 100), opened('b', 100), capped(100, 'a')])).toEqual(['cap']);
  });

  it('let the service end what a closed mandate leaves no room for, and change no cap', () => {
    const service = { holder: null, clientId: null };
    const begun = [authorized, capped(200), opened('a', 100), opened('b', 100)];
    const closed = ['MandateClosed', { mandateId: 'a', consumed: brl(100) }] as const;
    const more = ['MandateOpened', { mandateId: 'c', limit: brl(100) }] as const;
    const keeping = ['SpendingCapSet', { cap: brl(200), ending: ['c'] }, service] as const;
    const raising = ['SpendingCapSet', { cap: brl(900), ending: [] }, service] as const;
    expect(brokenBy([...begun, closed, more, keeping]).filter((rule) => rule === 'actor')).toEqual([]);
    expect(brokenBy([...begun, closed, more, raising])).toContain('actor');
  });

  it('end those that are listed, one by one', () => {
    const begun = [authorized, opened('a', 100), opened('b', 100)];
    expect(brokenBy([...begun, capped(10, 'a', 'b')])).toEqual([]);
    expect(brokenBy([...begun, capped(10, 'a,b')])).toEqual(['cap']);
  });

  it('name what is open once or more, and keep what they listed until it is closed', () => {
    const revoked = (...openMandates: readonly string[]) => ['AgentRevoked', { openMandates, revokedAt: AT }] as const;
    expect(brokenBy([authorized, opened('a', 100), revoked('a', 'a')])).toEqual([]);
    expect(brokenBy([authorized, opened('a', 100), revoked('a', 'b')])).toEqual(['authorization']);
    // What was listed before it was open is ending as soon as it is.
    expect(brokenBy([authorized, capped(100, 'a'), opened('a', 100), capped(10)])).toEqual(['cap']);
  });

  it('leave a mandate its place that is opened again on other terms', () => {
    const again = [authorized, opened('a', 100), opened('b', 100), opened('a', 80)];
    expect(brokenBy([...again, capped(100, 'b')])).toEqual([]);
    expect(brokenBy([...again, capped(100, 'a')])).toEqual(['cap']);
  });

  it('count a mandate that is opened again once', () => {
    expect(brokenBy([authorized, capped(100), opened('a', 80), opened('a', 100)])).toEqual([]);
    expect(brokenBy([authorized, capped(100), opened('a', 80), opened('b', 30)])).toEqual(['cap']);
  });

  it('count in one currency from the opening to the closing', () => {
    const usd = (amount: number) => ({ amount, currency: 'USD' });
    const begun = [authorized, capped(1000), opened('a', 1000)];
    const closed = (consumed: object) => ['MandateClosed', { mandateId: 'a', consumed, closedAt: AT }] as const;
    const narrowed = (limit: object) =>
      ['OpenMandateNarrowed', { mandateId: 'a', limit, expiresAt: AT, narrowedAt: AT }] as const;
    // Without that, what was spent would count elsewhere, and the cap be free again.
    expect(brokenBy([...begun, closed(usd(579)), opened('b', 1000)])).toEqual(['closing']);
    expect(brokenBy([...begun, closed(brl(579)), opened('b', 1000)])).toEqual(['cap']);
    // Nothing is nothing in each, as earlier releases closed what was never created; a cent is not.
    expect(brokenBy([...begun, closed(usd(0)), opened('b', 1000)])).toEqual([]);
    expect(brokenBy([...begun, closed(usd(1)), opened('b', 1000)])).toEqual(['closing']);
    expect(brokenBy([...begun, narrowed(usd(1000)), opened('b', 1000)])).toEqual(['narrowing']);
    expect(brokenBy([...begun, narrowed(brl(900)), opened('b', 100)])).toEqual([]);
  });

  it('change nothing by what was not open', () => {
    const gone = ['MandateClosed', { mandateId: 'x', consumed: brl(900), closedAt: AT }] as const;
    const narrowed = [
      'OpenMandateNarrowed',
      { mandateId: 'x', limit: brl(900), expiresAt: AT, narrowedAt: AT },
    ] as const;
    expect(brokenBy([authorized, capped(1000), gone, narrowed, opened('a', 1000)])).toEqual(['closing', 'narrowing']);
  });
});

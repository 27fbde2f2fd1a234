import { describe, expect, it } from '@jest/globals';
import type { AuditedEvent, Json } from '../audited-event.js';
import { Delegations } from './delegations.js';

const AT = '2026-01-31T12:00:00.000Z';
const brl = (amount: number) => ({ amount, currency: 'BRL' });

/** The rules that the events of one delegation break. */
const brokenBy = (events: readonly (readonly [type: string, data: Json])[]): readonly string[] => {
  const delegations = new Delegations(() => null);
  const broken: string[] = [];
  events.forEach(([type, data], revision) => {
    const metadata = {
      eventId: '',
      occurredAt: AT,
      actor: { holder: null, clientId: null },
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

describe('the rules of a cap', () => {
  it('end the youngest that do not fit beside the older ones', () => {
    expect(brokenBy([authorized, opened('a', 100), opened('b', 100), capped(100, 'b')])).toEqual([]);
    expect(brokenBy([authorized, opened('a', 100), opened('b', 100), capped(100, 'a')])).toEqual(['cap']);
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
});

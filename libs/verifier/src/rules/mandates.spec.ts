import { describe, expect, it } from '@jest/globals';
import type { Json } from '../audited-event.js';
import { Names } from '../compact/names.js';
import { Mandates } from './mandates.js';

const minute = (minutes: number) => new Date(Date.UTC(2026, 0, 15, 12, minutes)).toISOString();
const brl = (amount: number) => ({ amount, currency: 'BRL' });
const CREATED = {
  holder: 'ana',
  clientId: 'pilot',
  scope: ['order:write', 'payment:execute'],
  limit: brl(1000),
  minutes: 600,
  startsAt: minute(0),
  grantedBy: 'agent',
  expiresAt: minute(600),
  constraints: { maxOrders: 2 },
};

/** A log of mandates whose time goes on. */
class Log {
  readonly mandates = new Mandates(new Names(), true);

  /** The rules that an event breaks. */
  tell(id: string, type: string, data: Json, minutes: number): readonly string[] {
    const stream = `mandate-${id}`;
    const actor = { holder: 'ana', clientId: 'pilot' };
    const metadata = { eventId: 'e', occurredAt: minute(minutes), actor, schemaVersion: 1, hash: '' };
    const event = { stream, revision: 0, type, data, metadata };
    const { breaches } = this.mandates.at(stream, metadata.occurredAt).next(event);
    return breaches.map(({ rule }) => rule);
  }

  create(id: string, minutes: number): void {
    this.tell(id, 'MandateCreated', { ...CREATED, mandateId: id }, minutes);
  }

  reserve(orderId: string, cents: number, minutes: number): readonly string[] {
    const times = { reservedAt: minute(minutes), holdBefore: minute(minutes + 1) };
    return this.tell('m1', 'MandateReserved', { orderId, bookingId: 'b1', amount: brl(cents), ...times }, minutes);
  }

  consume(orderId: string, cents: number, minutes: number): void {
    this.tell('m1', 'MandateConsumed', { orderId, amount: brl(cents), consumedAt: minute(minutes) }, minutes);
  }

  /** Whether a mandate is written down: each answer is then made anew. */
  isAtRest(id: string): boolean {
    return this.mandates.stateOf(id) !== this.mandates.stateOf(id);
  }
}

describe('a mandate at rest', () => {
  it('is all that it was', () => {
    const log = new Log();
    log.create('m1', 0);
    log.reserve('o1', 700, 1);
    log.consume('o1', 700, 1);
    log.tell('m1', 'MandatePaused', { pausedAt: minute(9) }, 9);
    const before = structuredClone(log.mandates.stateOf('m1'));
    expect(log.isAtRest('m1')).toBe(false);
    for (const id of ['m2', 'm3', 'm4']) log.create(id, 30);
    expect(log.isAtRest('m1')).toBe(true);
    expect(log.mandates.stateOf('m1')).toEqual(before);
    expect(log.reserve('o2', 100, 31)).toEqual(['while-paused']);
  });

  it('is judged by what it had spent', () => {
    const log = new Log();
    log.create('m1', 0);
    log.reserve('o1', 700, 1);
    log.consume('o1', 700, 1);
    for (const id of ['m2', 'm3', 'm4']) log.create(id, 30);
    expect(log.isAtRest('m1')).toBe(true);
    expect(log.reserve('o2', 400, 31)).toEqual(['ceiling']);
    expect(log.reserve('o3', 1, 31)).toEqual(['constraint']);
  });

  it('has nothing reserved, and its fences are past', () => {
    const log = new Log();
    log.create('m1', 0);
    log.reserve('o1', 700, 1);
    for (const id of ['m2', 'm3', 'm4']) log.create(id, 30);
    expect(log.isAtRest('m1')).toBe(false);
    log.consume('o1', 700, 31);
    log.reserve('o2', 100, 31);
    log.consume('o2', 100, 31);
    for (const id of ['m5', 'm6', 'm7', 'm8']) log.create(id, 32);
    expect(log.isAtRest('m1')).toBe(false);
    expect(log.reserve('o2', 100, 32)).toContain('fence');
  });

  it('is unknown before its first event', () => {
    expect(new Log().mandates.stateOf('m1')).toBeNull();
  });
});

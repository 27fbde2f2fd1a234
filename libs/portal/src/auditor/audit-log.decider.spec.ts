import type { AuditEvent } from '#events';
import { fold, plus } from '#kernel';
import { auditLog, LOOKS_AN_HOUR, type View } from './audit-log.decider.js';

const { decider } = auditLog;
const AT = '2026-03-01T12:00:00.000Z';
const look: View = { auditor: 'a1', page: 'mandate', subject: 'm1' };
const viewed = (view: View, viewedAt = AT): AuditEvent => ({ type: 'AuditPageViewed', data: { ...view, viewedAt } });
const after = (...events: readonly AuditEvent[]) => fold(decider, events);

describe('what an auditor looks at', () => {
  it('is written down, once for as long as they stay with it, step by step', () => {
    expect(decider.decide({ ...look, now: AT }, after())).toEqual([viewed(look)]);
    expect(decider.decide({ ...look, now: plus(AT, 599_999) }, after(viewed(look)))).toEqual([]);
    expect(decider.decide({ ...look, now: plus(AT, 600_000) }, after(viewed(look)))).toHaveLength(1);
  });

  it.each<[string, Partial<View>]>([
    ['another mandate', { subject: 'm2' }],
    ['another page', { page: 'order' }],
    ['another auditor', { auditor: 'a2' }],
  ])('is written down again for %s', (_, other) => {
    expect(decider.decide({ ...look, ...other, now: AT }, after(viewed(look)))).toHaveLength(1);
  });

  it('is written down each time, where they look up an address: what it was is not in the log', () => {
    const lookUp: View = { auditor: 'a1', page: 'address', subject: null };
    expect(decider.decide({ ...lookUp, now: AT }, after(viewed(lookUp)))).toEqual([viewed(lookUp)]);
  });

  it('is written down again where they looked at something else in between', () => {
    const log = after(viewed(look), viewed({ ...look, subject: 'm2' }));
    expect(decider.decide({ ...look, now: AT }, log)).toHaveLength(1);
  });

  it('is refused beyond so many looks an hour, and shown again in the next', () => {
    const many = Array.from({ length: LOOKS_AN_HOUR }, (_, n) => viewed({ ...look, subject: `m${n}` }));
    expect(() => decider.decide({ ...look, now: AT }, after(...many))).toThrow(
      expect.objectContaining({ code: 'rate_limited', retryAfter: 3_600 }),
    );
    expect(decider.decide({ ...look, auditor: 'a2', now: AT }, after(...many))).toHaveLength(1);
    expect(decider.decide({ ...look, now: plus(AT, 3_600_000) }, after(...many))).toHaveLength(1);
  });

  it('is remembered of each auditor, whoever else looks, and belongs to its day', () => {
    const log = after(viewed(look), viewed({ ...look, auditor: 'a2' }, plus(AT, 1_000)));
    expect(decider.decide({ ...look, now: plus(AT, 2_000) }, log)).toEqual([]);
    expect(auditLog.streamOf(AT)).toBe('audit-2026-03-01');
  });

  it('is remembered for an hour, so that the state stays small', () => {
    const later = viewed({ ...look, auditor: 'a2' }, plus(AT, 3_600_000));
    expect(Object.keys(after(viewed(look), later))).toEqual(['a2']);
  });

  it.each(['ana@example.com', 'Ana Maria', '../../../auditor/x', '', 'x'.repeat(129)])('never names %j', (subject) => {
    expect(() => auditLog.check(viewed({ ...look, subject }))).toThrow('does not fit');
  });
});

import type { Json } from '../audited-event.js';
import { EVENT_FORMS, formFault, type Forms, formsIn, INNER_FORMS, KNOWN_FROM } from './event-forms.js';

const FORMS: Forms = { order: { Placed: { id: 'text', 'seat?': 'text' }, Approved: { 'note?': 'text' } } };

describe('the forms of events', () => {
  it('have in a version what was known by then', () => {
    const knownFrom = { Approved: 2, 'Placed.seat': 2 } as const;
    expect(formsIn(1, FORMS, knownFrom)).toEqual({ order: { Placed: { id: 'text' } } });
    expect(formsIn(2, FORMS, knownFrom)).toEqual(FORMS);
  });

  it('are only dated where there are such', () => {
    const names = [...Object.values(EVENT_FORMS), INNER_FORMS].flatMap((types) =>
      Object.entries(types).flatMap(([type, members]) => [
        type,
        ...Object.keys(members).flatMap((name) => (name.endsWith('?') ? `${type}.${name.slice(0, -1)}` : [])),
      ]),
    );
    expect(Object.keys(KNOWN_FROM).filter((name) => !names.includes(name))).toEqual([]);
  });

  it.each<[stream: string, type: string, data?: Json]>([
    ['mandates', 'MandatePaused', { pausedAt: '2026-01-31T12:00:00.000Z' }],
    ['constructor-x', 'length'],
    ['__proto__-x', 'toString'],
    [
      'delegation-ana',
      'AgentAuthorized',
      { holder: 'an', clientId: 'ana', grantId: 'g', scopes: [], authorizedAt: '' },
    ],
  ])('are none of %s, %s', (stream, type, data = {}) => {
    const actor = { holder: null, clientId: null };
    const occurredAt = '2026-01-31T12:00:00.000Z';
    const metadata = { eventId: '', occurredAt, actor, schemaVersion: 1, hash: '' };
    const timed = 'authorizedAt' in data ? { ...data, authorizedAt: occurredAt } : data;
    expect(formFault({ stream, revision: 0, type, data: timed, metadata })).not.toBeNull();
  });
});

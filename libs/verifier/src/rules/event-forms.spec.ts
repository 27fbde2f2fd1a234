import { describe, expect, it } from '@jest/globals';
import { EVENT_FORMS, type Forms, formsIn, KNOWN_FROM } from './event-forms.js';

const FORMS: Forms = { order: { Placed: { id: 'text', 'seat?': 'text' }, Approved: { 'note?': 'text' } } };

describe('the forms of events', () => {
  it('have in a version what was known by then', () => {
    const knownFrom = { Approved: 2, 'Placed.seat': 2 } as const;
    expect(formsIn(1, FORMS, knownFrom)).toEqual({ order: { Placed: { id: 'text' } } });
    expect(formsIn(2, FORMS, knownFrom)).toEqual(FORMS);
  });

  it('are only dated where there are such', () => {
    const names = Object.values(EVENT_FORMS).flatMap((types) =>
      Object.entries(types).flatMap(([type, members]) => [
        type,
        ...Object.keys(members).flatMap((name) => (name.endsWith('?') ? `${type}.${name.slice(0, -1)}` : [])),
      ]),
    );
    expect(Object.keys(KNOWN_FROM).filter((name) => !names.includes(name))).toEqual([]);
  });
});

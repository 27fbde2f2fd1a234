import { describe, expect, it } from '@jest/globals';
import { instantText } from './instant-text.js';

describe('an instant on a page', () => {
  it.each([
    ['2026-01-31T12:00:00.000Z', '31 de janeiro de 2026, 09:00 (horário de Brasília)'],
    ['2026-02-01T02:59:59.999Z', '31 de janeiro de 2026, 23:59 (horário de Brasília)'],
    ['2026-03-01T03:00:00.000Z', '1 de março de 2026, 00:00 (horário de Brasília)'],
  ])('%s reads %j', (instant, text) => {
    expect(instantText(instant)).toBe(text);
  });
});

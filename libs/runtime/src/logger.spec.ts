import { describe, expect, it } from '@jest/globals';
import { createLogger } from './logger.js';

/** What the log writes for an entry. */
const lineOf = (entry: object): unknown => {
  const lines: string[] = [];
  createLogger('info', { write: (line) => void lines.push(line) }).info(entry, 'a message');
  return JSON.parse(lines.join(''));
};

describe('the log', () => {
  it('censors members named like secrets, three levels deep and in lists', () => {
    const card = { cardNumber: '4111111111111111', cvc: '123', last4: '1111' };
    const entry = { password: 'x', order: { payment: card, id: 'o' }, headers: [{ authorization: 'Bearer x' }, 'y'] };
    expect(lineOf(entry)).toMatchObject({
      password: '***',
      order: { payment: { cardNumber: '***', cvc: '***', last4: '1111' }, id: 'o' },
      headers: [{ authorization: '***' }, 'y'],
    });
    expect(card.cvc).toBe('123');
  });

  it('writes an error without fields of its own, and masks credentials in its text', () => {
    const error = Object.assign(new Error('no answer from mongodb://ana:senha@host'), { token: 'x', request: {} });
    const line = lineOf({ err: error });
    expect(line).toMatchObject({ err: { type: 'Error', message: 'no answer from mongodb://***@host' } });
    expect(JSON.stringify(line)).not.toMatch(/senha|"token"|"request"/);
  });
});

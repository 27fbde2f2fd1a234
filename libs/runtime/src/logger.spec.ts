import { setImmediate as nextTurn } from 'node:timers/promises';
import { byTurns, createLogger } from './logger.js';

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

  it('says when an entry was made, to the millisecond', () => {
    const before = new Date().toISOString();
    const { time } = lineOf({}) as { time: string };
    expect([before, time, new Date().toISOString()].sort()[1]).toBe(time);
  });

  it('writes the lines of one turn together and in their order, and what is left when it is told to', async () => {
    const written: string[] = [];
    const lines = byTurns((text) => written.push(text));
    const logger = createLogger('info', lines);
    for (const message of ['one', 'two']) logger.info(message);
    expect(written).toEqual([]);
    await nextTurn();
    logger.info('three');
    lines.flush();
    await nextTurn();
    const messages = written.map((text) =>
      text
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { msg: string }).msg),
    );
    expect(messages).toEqual([['one', 'two'], ['three']]);
  });
});

import { openForEach } from '#testing';
import { openDesk } from './testing/open-desk.js';

const at = openForEach(() => openDesk());

describe('the form of an Idempotency-Key (rule 21)', () => {
  it.each([
    ['an empty key', ''],
    ['a space', 'a b'],
    ['a tab', 'tab\tulador'],
    ['what is not ASCII', 'ação'],
    ['256 characters', 'x'.repeat(256)],
  ])('refuses %s', async (_, key) => {
    expect(await at.post(key)).toMatchObject({ status: 400, error: 'invalid_idempotency_key' });
    expect(at.desk.started).toEqual([]);
  });

  it.each([
    ['one character', 'x'],
    ['255 characters', 'x'.repeat(255)],
    ['every kind of sign', '"quoted";{}~!'],
  ])('takes %s', async (_, key) => {
    expect(await at.post(key)).toMatchObject({ status: 201 });
  });

  it('is judged after the token and before the body, the record after the body', async () => {
    expect(await at.post('a b', {}, { token: '' })).toMatchObject({ status: 401 });
    expect(await at.post('a b', {})).toMatchObject({ error: 'invalid_idempotency_key' });
    await at.post('k1');
    expect(await at.post('k1', {})).toMatchObject({ error: 'invalid_body' });
    expect(await at.post('k1')).toMatchObject({ status: 201, replayed: 'true' });
  });
});

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openDesk } from './testing/open-desk.js';

let at: Awaited<ReturnType<typeof openDesk>>;
beforeEach(async () => {
  at = await openDesk();
});
afterEach(() => at.close());

describe('what is kept of a request (rule 21)', () => {
  const CARD = '4242424242424242';

  it('has no card, key, caller or address in it; the addresses are those of each request', async () => {
    const body = { item: 'voo', card: CARD };
    const first = await at.post('chave-1', body);
    const kept = JSON.stringify(await at.records());
    for (const secret of [CARD, 'chave-1', 'ana', 'piloto', 'http', '127.0.0.1']) expect(kept).not.toContain(secret);
    expect(kept).toContain(`{base_url}/orders/${first.body.id ?? ''}`);
    const { body: elsewhere } = await at.post('chave-1', body, { name: 'localhost' });
    expect(elsewhere.url).toBe(first.body.url?.replace('127.0.0.1', 'localhost'));
  });

  it('shows neither that two bodies are the same nor, without the secret, what they are', async () => {
    await at.post('k1');
    await at.post('k2');
    const [one, other] = await at.records();
    expect(one?.fingerprint).not.toBe(other?.fingerprint);
    const elsewhere = await openDesk();
    await elsewhere.post('k1');
    const known = (await elsewhere.records()).map(({ id, fingerprint }) => [id, fingerprint]).flat();
    await elsewhere.close();
    for (const { id, fingerprint } of await at.records()) {
      expect(known).not.toContain(id);
      expect(known).not.toContain(fingerprint);
    }
  });
});

import { openForAll } from '#testing';
import { startServiceInMemory } from '../support/service.js';

const [FLIGHTS, TRAFFIC] = ['/api/v1/flights', '/api/v1/observability/agent-traffic'];
const HOUR = 3_600_000;

const service = openForAll(() => startServiceInMemory({ TRUST_PROXY: 'loopback', LIMIT_PUBLIC_READS: '0' }));

const ask = (path: string, address: string, headers: Readonly<Record<string, string>> = {}) =>
  fetch(service.origin + path, { headers: { ...headers, 'x-forwarded-for': address } });

/** An address in the `block`-th /48, in the /64 `network` of it. */
const addressIn = (block: number, network = 0): string => `2001:db8:${block.toString(16)}:${network.toString(16)}::1`;

const since = (hours: number): string => `from=${new Date(Date.now() - hours * HOUR).toISOString()}`;

const settled = async (): Promise<void> => {
  await service.traffic?.flush();
  const head = await service.dependencies.events.head();
  if (head) await service.dependencies.readModels.caughtUp(head.position);
};

describe('the figures of agent traffic, asked for or made up by somebody hostile', () => {
  it('are refused where a filtered window would be read from thousands of documents', async () => {
    for (const query of [
      `bucket=minute&agent=other&${since(47)}`,
      `bucket=minute&operation=get_flight&${since(7)}`,
      `bucket=hour&agent=gptbot&${since(24 * 30)}`,
      'bucket=day&from=2017-01-01T00:00:00Z',
    ]) {
      const response = await ask(`${TRAFFIC}?${query}`, '192.0.2.1');
      expect([response.status, await response.json()]).toEqual([
        422,
        expect.objectContaining({ error: 'invalid_window', details: [{ field: 'from', message: expect.anything() }] }),
      ]);
    }
    const longest = await ask(`${TRAFFIC}?bucket=minute&agent=other&${since(5.9)}`, '192.0.2.1');
    expect(longest.status).toBe(200);
  });

  it('answer a few of many dear questions of one address, and tell the others when to come back', async () => {
    const query = `${TRAFFIC}?bucket=hour&agent=other&${since(24 * 7)}`;
    const answers = await Promise.all(Array.from({ length: 40 }, () => ask(query, '192.0.2.1')));
    expect(answers.some(({ status }) => status === 200)).toBe(true);
    for (const { status, headers } of answers)
      if (status !== 200) expect([status, headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^\d+$/)]);
    // Whoever else asks is answered.
    expect((await ask(TRAFFIC, '192.0.2.2')).status).toBe(200);
  });

  it('name no family for the calls of five networks of one block', async () => {
    const call = async (address: string) => (await ask(FLIGHTS, address, { 'user-agent': 'GPTBot/1.2' })).arrayBuffer();
    for (let network = 0; network < 5; network += 1) await call(addressIn(1, network));
    await settled();
    const familiesNow = async (): Promise<readonly string[]> => {
      const { byAgentFamily } = (await (await ask(TRAFFIC, '192.0.2.3')).json()) as {
        readonly byAgentFamily: readonly { readonly family: string }[];
      };
      return byAgentFamily.map(({ family }) => family);
    };
    expect(await familiesNow()).not.toContain('gptbot');
    for (let block = 2; block < 6; block += 1) await call(addressIn(block));
    do await settled();
    while (!(await familiesNow()).includes('gptbot'));
  });
});

describe('the places of those who watch traffic', () => {
  it('are eight for a block, and are given up by the longest of whoever has most, so that nobody takes all', async () => {
    const open = (address: string) => ask(`${TRAFFIC}/stream`, address);
    const alone = await open('192.0.2.9');
    // Thirteen blocks would have 104 places, from a network of its own each.
    const taken: Response[] = [];
    for (let block = 1; block <= 13; block += 1)
      for (let network = 0; network < 8; network += 1) taken.push(await open(addressIn(block, network)));
    expect(new Set(taken.map(({ status }) => status))).toEqual(new Set([200]));
    const ninth = await open(addressIn(13, 8));
    expect([ninth.status, ninth.headers.get('retry-after')]).toEqual([429, '30']);
    const newcomer = await open('192.0.2.10');
    expect([alone.status, newcomer.status]).toEqual([200, 200]);
    // The first of a block ended by itself; who had one place still has it.
    await taken[0]?.text();
    let isOver = false;
    const rest = alone.text().then(() => (isOver = true));
    await taken[8]?.text();
    expect(isOver).toBe(false);
    await service.stop();
    await rest;
    for (const one of [newcomer, ...taken]) if (!one.bodyUsed) await one.text();
  });
});

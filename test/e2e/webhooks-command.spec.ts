import { alcada } from '../support/alcada.js';
import { ServiceOnFiles } from '../support/service-under-test.js';

const ANA = { holder: '00000000-0000-4000-8000-00000000000a', clientId: 'agente' };
const ID = '00000000-0000-4000-8000-000000000001';
const NOW = '2026-01-15T12:00:00.000Z';

const tested = new ServiceOnFiles();
const webhooks = (...args: readonly string[]) => alcada(tested.folder, ['webhooks', ...args]);
const listed = async (): Promise<unknown> => JSON.parse((await webhooks('list', '--json')).stdout);

describe('alcada webhooks', () => {
  it('lists webhooks and subscriptions without keys or whole addresses, and pauses and resumes either', async () => {
    const { endpoints } = tested.service.dependencies;
    const { stored } = endpoints.newKey(ID, 'hmac-sha256');
    const url = 'https://agente.example/avisos?chave=segredo';
    const one = { ...ANA, url, types: ['order.paid'] as const, keys: [stored], cursor: null };
    await endpoints.add(ID, one, NOW);
    await endpoints.add('sub_1', { ...one, subscription: { safe: '' } }, NOW);
    const line = { ...ANA, host: 'agente.example', types: ['order.paid'], createdAt: NOW };
    const [webhook, subscription] = [
      { ...line, id: ID, kind: 'webhook' },
      { ...line, id: 'sub_1', kind: 'subscription' },
    ];
    const states = (state: string) => [
      { ...webhook, state },
      { ...subscription, state },
    ];
    expect(await listed()).toEqual(states('active'));
    expect((await webhooks('list')).stdout).not.toContain('segredo');
    expect((await webhooks('deliveries', 'sub_1')).stdout).toContain('No deliveries.');
    for (const id of [ID, 'sub_1']) expect((await webhooks('pause', id)).stdout).toContain('Paused');
    expect(await listed()).toEqual(states('paused'));
    for (const id of [ID, 'sub_1']) expect((await webhooks('resume', id)).stdout).toContain('Resumed');
    expect(await listed()).toEqual(states('active'));
    expect(await webhooks('pause', 'x')).toMatchObject({
      ...{ code: 1, stderr: expect.stringContaining('there is no webhook x') },
    });
  });
});

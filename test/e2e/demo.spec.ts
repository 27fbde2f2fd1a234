import { createServer } from 'node:net';
import { once } from 'node:events';
import { expect, it } from '@jest/globals';
import { runCommand, startProcess } from '../support/real-process.js';
import { newFolder, removeFolder } from '../support/service.js';
import { stayEmbedded } from '../support/stores.js';

stayEmbedded('it starts a process over a folder of its own');

/** A port nobody listens on at the moment. */
const freePort = async (): Promise<string> => {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  return address !== null && typeof address === 'object' ? address.port.toString() : '';
};

/** The numbered headings of what the demo prints. */
const stepsOf = (text: string): readonly string[] =>
  [...text.matchAll(/^ ?(\d+\. .+)$/gm)].map(([, step = '']) => step.trim());

const STEPS = [
  '1. Discovery',
  '2. The traveller logs in and approves',
  '3. Code for tokens',
  '4. Search',
  '5. Quote under a budget',
  '6. Book',
  '7. A mandate: what the agent may spend',
  '8. Order: authorize, charge, issue the ticket',
  '9. Receipt',
  '10. Once more, over the ceiling',
];

it('alcada demo buys on a server of its own, is refused above the mandate, and leaves nothing running', async () => {
  const PORT = await freePort();
  const demo = runCommand('demo', { PORT });
  expect([await demo.ended, demo.stderr()]).toEqual([{ code: 0, signal: null }, '']);
  expect(stepsOf(demo.stdout())).toEqual(STEPS);
  expect(demo.stdout()).toContain('starts a server of its own');
  expect(demo.stdout()).toMatch(/is paid: ticket \d{13}, R\$ \d+,\d\d/);
  expect(demo.stdout()).toContain('422 mandate_limit_exceeded');
  expect(demo.stdout()).toMatch(/Bought within the mandate, refused above it\.\n$/);
  const [, own = ''] = /issuer (http\S+),/.exec(demo.stdout()) ?? [];
  await expect(fetch(`${own}/api/v1/health`)).rejects.toThrow('fetch failed');
});

it('alcada demo buys on the server that runs', async () => {
  const folder = await newFolder();
  const PORT = await freePort();
  const service = await startProcess(folder, { PORT });
  try {
    const demo = runCommand('demo', { PORT });
    expect(await demo.ended).toEqual({ code: 0, signal: null });
    expect(demo.stdout()).toContain(`Alçada demo, against http://127.0.0.1:${PORT}\n`);
    expect(stepsOf(demo.stdout())).toEqual(STEPS);
  } finally {
    await service.end('SIGTERM');
    await removeFolder(folder);
  }
});

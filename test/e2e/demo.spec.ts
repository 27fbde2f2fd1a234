import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { built } from '../support/built.js';
import { type Ending, runCommand, startProcess } from '../support/real-process.js';
import { newFolder, removeFolder } from '../support/service.js';
import { stayEmbedded } from '../support/stores.js';

stayEmbedded('it starts a process over a folder of its own');

/** A port where something else answers, so that no server of another test can listen there meanwhile. */
const takenPort = async () => {
  const server = createServer((_, response) => response.writeHead(404).end())
    .listen(0, '127.0.0.1')
    .unref();
  await once(server, 'listening');
  const address = server.address();
  const PORT = address !== null && typeof address === 'object' ? address.port.toString() : '';
  return { PORT, close: () => server.close() };
};

const stepsOf = (text: string): readonly string[] =>
  [...text.matchAll(/^ ?(\d+\. .+)$/gm)].map(([, step = '']) => step.trim());

const STEPS = [
  '1. Discover the authorization server',
  '2. The traveller logs in and approves',
  '3. Exchange the code for tokens',
  '4. Search flights on a day',
  '5. Quote fares within a budget',
  '6. Book a seat',
  '7. Create a mandate: how much the agent may spend',
  '8. Place the order: authorize, charge, issue the ticket',
  '9. Read the receipt',
  '10. Order again, above the limit',
  '11. Discover the authorization server',
  '12. The traveller logs in and grants the mandate',
  '13. Exchange the code for tokens',
  '14. Place the order with the mandate that was granted',
  '15. Quote a cancellation, which changes nothing',
  '16. Cancel as quoted',
];

it('alcada demo buys on a server of its own, is refused above the mandate, and leaves nothing running', async () => {
  const { PORT, close } = await takenPort();
  const demo = runCommand(['demo'], { PORT });
  expect([await demo.ended, demo.stderr()]).toEqual([{ code: 0, signal: null }, '']);
  expect(stepsOf(demo.stdout())).toEqual(STEPS);
  expect(demo.stdout()).toContain('a temporary one is started');
  expect(demo.stdout()).toMatch(
    /is paid: ticket \d{13}, R\$ \d+,\d\d\n.*locator [2-9A-Z]{6}: \d{13} is for Conceição dos Santos/,
  );
  expect(demo.stdout()).toContain('422 mandate_limit_exceeded');
  expect(demo.stdout()).toMatch(
    /R\$ ([\d,]+) went back to visa •••• 4242\n {4}→ R\$ \1 of the mandate's R\$ \1 is left again\n\nThe purchase within the mandate went through; the one above its limit was refused until it was granted, and then cancelled\.\n$/,
  );
  const [, own = ''] = /issuer (http\S+),/.exec(demo.stdout()) ?? [];
  await expect(fetch(`${own}/api/v1/health`)).rejects.toThrow('fetch failed');
  close();
});

it.each<[string, (demo: ChildProcessWithoutNullStreams) => void, Ending]>([
  ['it is told to end', (demo) => demo.kill('SIGTERM'), { code: null, signal: 'SIGTERM' }],
  ['nobody reads on, as with head', (demo) => demo.stdout.destroy(), { code: 0, signal: null }],
])('alcada demo leaves no server behind where %s', async (_, interrupt, ending) => {
  const { PORT, close } = await takenPort();
  const demo = spawn(process.execPath, [built('apps/cli/src/main.js'), 'demo'], { env: { PORT } });
  const closed = once(demo, 'close') as Promise<[code: number | null, signal: NodeJS.Signals | null]>;
  let [said, own] = ['', ''];
  for await (const chunk of demo.stdout.iterator({ destroyOnReturn: false })) {
    said += String(chunk);
    own = /issuer (http\S+),/.exec(said)?.[1] ?? '';
    if (own !== '') break;
  }
  expect((await fetch(`${own}/api/v1/health`)).status).toBe(200);
  interrupt(demo);
  demo.stdout.resume();
  const [code, signal] = await closed;
  expect({ code, signal }).toEqual(ending);
  await expect(fetch(`${own}/api/v1/health`)).rejects.toThrow('fetch failed');
  close();
});

it('alcada demo buys on the server that runs, also where each mandate is asked for and every token bound to a key', async () => {
  const folder = await newFolder();
  const service = await startProcess(folder, { MANDATES: 'ask', DPOP: 'required' });
  const { port: PORT } = new URL(service.origin);
  try {
    const demo = runCommand(['demo'], { PORT });
    expect(await demo.ended).toEqual({ code: 0, signal: null });
    expect(demo.stdout()).toContain(`Alçada demo on http://127.0.0.1:${PORT}\n`);
    expect(stepsOf(demo.stdout())).toEqual(STEPS);
    expect(demo.stdout()).toContain('the traveller was asked at');
    expect(demo.stdout()).toContain('bound to a key of the agent (DPoP), which this service requires');
    const traffic = runCommand(['demo', '--traffic', '--calls', '40', '--seconds', '2'], { PORT });
    expect([await traffic.ended, traffic.stderr()]).toEqual([{ code: 0, signal: null }, '']);
    const [, made] = /^(\d+) calls made\.$/m.exec(traffic.stdout()) ?? [];
    expect(Number(made)).toBeGreaterThan(0);
    expect(Number(made)).toBeLessThanOrEqual(40);
    expect(traffic.stdout()).toMatch(/^ +\d+ +200 +GET \/flights$/m);
    expect(traffic.stdout()).toContain(`See them at http://127.0.0.1:${PORT}/observability\n`);
  } finally {
    await service.end('SIGTERM');
    await removeFolder(folder);
  }
});

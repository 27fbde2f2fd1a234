import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { median } from './numbers.js';
import { type Server, startServer, withFolder } from './server.js';
import { type Row, printTable } from './table.js';

const LOADER = 'autocannon@9.0.0';
const [CONNECTIONS, SECONDS, ROUNDS] = [50, 3, 5];
const run = promisify(execFile);

/** Fastify alone, sending these bytes to everybody. */
const startBare = async (body: string): Promise<Server> => {
  const server = spawn(process.execPath, [resolve('dist/test/bench/bare-fastify.main.js')]);
  server.stdin.end(body);
  const [origin] = (await once(server.stdout, 'data')) as [Buffer];
  return {
    origin: String(origin).trim(),
    stop: async () => {
      server.kill('SIGTERM');
      await once(server, 'exit');
    },
  };
};

/** Requests answered a second, by the load generator in a process of its own. */
const perSecond = async (loader: string, address: string): Promise<number> => {
  const { stdout } = await run(process.execPath, [
    join(loader, 'node_modules/autocannon/autocannon.js'),
    ...['--json', '--no-progress', '-c', String(CONNECTIONS), '-d', String(SECONDS), address],
  ]);
  const { requests, non2xx } = JSON.parse(stdout) as { requests: { average: number }; non2xx: number };
  if (non2xx > 0) throw new Error(`${non2xx} answers were not 200 at ${address}`);
  return requests.average;
};

/** Public reads against bare Fastify sending the same bytes, by turns; the load generator is put into a folder of its own. */
export const reads = (): Promise<void> =>
  withFolder(async (folder) => {
    const loader = await mkdtemp(join(tmpdir(), 'alcada-bench-loader-'));
    await run('npm', ['install', '--no-save', '--silent', '--prefix', loader, LOADER]);
    const service = await startServer(folder, { LOG_LEVEL: 'info' });
    const flights = (await (await fetch(`${service.origin}/api/v1/flights?limit=1`)).json()) as {
      readonly items: readonly [{ readonly flightNumber: string }];
    };
    const one = `/api/v1/flights/${flights.items[0].flightNumber}`;
    const rows: Row[] = [];
    for (const path of [one, '/api/v1/flights?q=recife', `${one}/fares?budget=100000`]) {
      const bare = await startBare(await (await fetch(service.origin + path)).text());
      const [ours, theirs]: [number[], number[]] = [[], []];
      for (let round = 0; round < ROUNDS; round += 1) {
        ours.push(await perSecond(loader, service.origin + path));
        theirs.push(await perSecond(loader, bare.origin));
      }
      await bare.stop();
      const [mine, peer] = [median(ours), median(theirs)];
      const spread = `${Math.min(...ours).toFixed(0)} to ${Math.max(...ours).toFixed(0)}`;
      const figure = `${mine.toFixed(0)}/s (${spread}) against ${peer.toFixed(0)}/s: ${(mine / peer).toFixed(2)} ×`;
      rows.push([path.replace(/AL\d+/, '{flightNumber}'), figure]);
    }
    await service.stop();
    await rm(loader, { recursive: true });
    printTable(`Public reads, ${CONNECTIONS} connections, log and traffic on, against bare Fastify`, rows);
  });

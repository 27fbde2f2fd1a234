import { tokensFor } from '../../support/agent.js';
import { AUTOCANNON, requestsPerSecond } from '../autocannon.js';
import { tripOf } from '../flights.js';
import { ratioOf, spread } from '../numbers.js';
import { withPackages } from '../packages.js';
import { startServer, withFolder } from '../server.js';
import { printTable, type Row } from '../table.js';
import { startProgram } from './program.js';
import { built } from '../../support/built.js';

const ROUNDS = 5;
const LOAD = { connections: 64, seconds: 2 } as const;

/** A read and a POST beside the same routes of bare Fastify and of a minimal Nest application, which do nothing for them. */
export const routes = (): Promise<void> =>
  withPackages(AUTOCANNON, (loader) =>
    withFolder(async (folder) => {
      const ours = await startServer(folder, { LOG_LEVEL: 'info' });
      const headers = { authorization: `Bearer ${(await tokensFor(ours.origin)).access_token}` };
      const trip = { ...tripOf(0), passengers: 1 };
      const api = `${ours.origin}/api/v1`;
      const flight = await (await fetch(`${api}/flights/${trip.flightNumber}`)).text();
      const posted = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' } };
      const booking = await (await fetch(`${api}/bookings`, { ...posted, body: JSON.stringify(trip) })).text();

      const bare = await startProgram(built('test/bench/bare-fastify.main.js'), [], flight);
      const nest = await startProgram(
        built('test/bench/peers/nest.main.js'),
        [],
        `{"read":${flight},"created":${booking}}`,
      );
      const path = `/flights/${trip.flightNumber}`;
      const requests = [
        { url: api + path },
        { url: bare.said + path },
        { url: nest.said + path },
        { url: `${api}/bookings`, body: trip, headers },
        { url: `${nest.said}/bookings`, body: trip, headers },
      ];
      const figures: number[][] = requests.map(() => []);
      for (let round = 0; round < ROUNDS; round += 1)
        for (const [place, request] of requests.entries())
          figures[place]?.push(await requestsPerSecond(loader, request, LOAD));
      for (const { stop } of [ours, bare, nest]) await stop();

      const [read = [], bareRead = [], nestRead = [], post = [], nestPost = []] = figures;
      const row = (what: string, values: readonly number[], of: readonly number[]): Row => [
        what,
        `${spread(values)}/s`,
        values === of ? '' : `${ratioOf(of, values).toFixed(2)} ×`,
      ];
      printTable(
        `Routes beside peers that do nothing for theirs; ${LOAD.connections} connections, ${ROUNDS} rounds by turns`,
        [
          row('GET /flights/{flightNumber}: ours, log, traffic and ETag on', read, read),
          row('the same bytes by bare Fastify', bareRead, read),
          row('the same object by Nest on Fastify', nestRead, read),
          row('POST /bookings: ours, token, event and flush', post, post),
          row('the same answer by Nest on Fastify, three fields validated', nestPost, post),
        ],
        ['requests', 'ours, of it'],
      );
    }),
  );

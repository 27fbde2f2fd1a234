import { TcpProxy } from '#testing';
import { proxyTo, through as documentsThrough } from '../../libs/documents/src/testing/index.js';
import { hostOf, through as eventsThrough } from '../../libs/event-store/src/testing/index.js';
import type { Environment } from '../support/stores.js';

/** How many processes have lines of their own. */
const PROCESSES = 3;

/** Where processes have their stores: on servers each by lines of its own, which can be cut. */
export const linesFor = async (stores: Environment) => {
  const { EVENTSTORE_URL, MONGODB_URL } = stores;
  const lines: { readonly name: string; readonly line: TcpProxy }[] = [];
  const environments: Environment[] = [];
  if (EVENTSTORE_URL === undefined || MONGODB_URL === undefined) environments.push(stores);
  else
    for (let place = 0; place < PROCESSES; place += 1) {
      const [events, documents] = await Promise.all([TcpProxy.to(hostOf(EVENTSTORE_URL)), proxyTo(MONGODB_URL)]);
      lines.push({ name: `events of ${place}`, line: events }, { name: `documents of ${place}`, line: documents });
      environments.push({
        ...stores,
        EVENTSTORE_URL: eventsThrough(EVENTSTORE_URL, events.port),
        MONGODB_URL: documentsThrough(MONGODB_URL, documents),
      });
    }
  const close = async () => {
    await Promise.all(lines.map(({ line }) => line.close()));
  };
  return { environments, lines, close };
};

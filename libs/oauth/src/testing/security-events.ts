import type { StoredEvent } from '#event-store';
import { securityLog } from '#events';
import type { TestServer } from './test-server.js';

export const securityEvents = async ({ eventStore, clock }: TestServer): Promise<readonly StoredEvent[]> => {
  const events: StoredEvent[] = [];
  for await (const event of eventStore.readStream(securityLog.streamOf(clock.now()))) events.push(event);
  return events;
};

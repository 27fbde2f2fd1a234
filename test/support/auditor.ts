import { openAuditorRegistry } from '#oauth';
import { auditLog } from '#portal';
import type { StoredEvent } from '#event-store';
import type { RunningApi } from '../../apps/api/src/start.js';
import type { Traveller } from './consent.js';

/** Somebody who checks what agents did. */
export const CLARA: Traveller = { email: 'clara@example.com', password: 'senha-da-clara' };

/** Lets an auditor in, beside a running service; returns the id that names them in the log. */
export const addAuditor = async ({ dependencies }: RunningApi, auditor: Traveller = CLARA): Promise<string> => {
  const registry = await openAuditorRegistry(dependencies, dependencies.oauthSettings);
  return (await registry.add(auditor)).holder;
};

export const viewsIn = async ({ dependencies: { events, clock } }: RunningApi): Promise<readonly StoredEvent[]> => {
  const views: StoredEvent[] = [];
  for await (const event of events.readStream(auditLog.streamOf(clock.now()))) views.push(event);
  return views;
};

import type { StoredEvent } from '#event-store';
import { LEDGER } from '#checkout';
import type { RunningApi } from '../../apps/api/src/start.js';

export interface Changes {
  /** The events written for somebody, in order: not what the recovery worker found to do meanwhile. */
  readonly events: readonly StoredEvent[];
  /** Rows added to the processor's ledger. */
  readonly ledgerRows: number;
}

const ledgerRows = ({ dependencies }: RunningApi): Promise<number> =>
  dependencies.documents.count(LEDGER.name, { where: [] });

/** Does `work` and answers what it changed in the log and in the ledger. */
export const changesOf = async (service: RunningApi, work: () => Promise<unknown>): Promise<Changes> => {
  const { events: log } = service.dependencies;
  const head = await log.head();
  const rows = await ledgerRows(service);
  await work();
  const events: StoredEvent[] = [];
  for await (const event of log.readAll(head)) {
    if (event.metadata.actor.holder !== null) events.push(event);
  }
  return { events, ledgerRows: (await ledgerRows(service)) - rows };
};

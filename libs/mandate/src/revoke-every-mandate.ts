import { type Checkouts, type EndingMandate, endMandate } from '#checkout';
import type { LogScan } from '#event-store';
import { categoryOf, idOf } from '#events';
import type { Context, Party } from '#kernel';
import { delegations } from './delegation/delegation.decider.js';
import { mandates } from './mandate.decider.js';

/** The agents that travellers ever let in, by the log. */
export const everyAgent = async (events: LogScan): Promise<Iterable<Party>> => {
  const parties = new Map<string, Party>();
  for await (const { places } of events.readPlaces(null, 'traffic'))
    for (const { stream } of places) {
      if (categoryOf(stream) !== 'delegation') continue;
      const [holder = '', ...client] = idOf(stream).split('.');
      parties.set(stream, { holder, clientId: client.join('.') });
    }
  return parties.values();
};

/** The mandates that are open by their delegations and have not expired, of all travellers. */
export const everyOpenMandate = async (
  { aggregates, clock }: Pick<Checkouts, 'aggregates' | 'clock'>,
  events: LogScan,
): Promise<readonly EndingMandate[]> => {
  const open: EndingMandate[] = [];
  const now = clock.now();
  for (const party of await everyAgent(events)) {
    const { state } = await aggregates.load(delegations, party);
    for (const [mandateId, { expiresAt }] of state.status === 'unknown' ? [] : Object.entries(state.openMandates))
      if (now < expiresAt) open.push({ ...party, mandateId });
  }
  return open;
};

/** Revokes mandates of any holder and brings each to its end, for an operator. Run again, it goes on. */
export const revokeMandates = async (
  checkouts: Checkouts,
  open: readonly EndingMandate[],
  context: Context,
): Promise<void> => {
  const { aggregates } = checkouts;
  for (const ending of open) {
    const { state } = await aggregates.load(mandates, ending.mandateId);
    if (state.kind === 'granted')
      await aggregates.handle(mandates, ending.mandateId, { type: 'Revoke', holder: ending.holder }, context);
    await endMandate(checkouts, ending, context);
  }
};

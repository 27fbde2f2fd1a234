import type { BaseUrls, Buses, RequestContext } from '#http';
import type { Party } from '#kernel';
import { metadataOf } from '#metadata';
import { type MandateView, mandateView } from './mandate.view.js';
import { GetMandate } from './read-mandates/get-mandate.js';
import { RevokeMandate } from './revoke-mandate.command.js';

/** A mandate as an agent of its holder is shown it. */
export const readMandate = async (
  queries: Buses['queries'],
  id: string,
  caller: Party,
  urls: BaseUrls,
): Promise<MandateView> =>
  mandateView(await queries.execute(new GetMandate(id, caller.holder)), urls, await metadataOf(queries, id, caller));

/** A mandate after it was revoked, whichever channel its agent uses (docs/interface.md, endpoint 9). */
export const revokedMandate = async (
  { commands, queries }: Buses,
  id: string,
  { caller, context, urls }: RequestContext,
): Promise<MandateView> => {
  const revoked = await commands.execute(new RevokeMandate(id, caller.holder, context));
  return mandateView(revoked, urls, await metadataOf(queries, id, caller));
};

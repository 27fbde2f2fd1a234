import type { CommandBus } from '@nestjs/cqrs';
import type { BaseUrls, RequestContext } from '#http';
import type { Party } from '#kernel';
import { type MandateView, mandateView } from './mandate.view.js';
import type { Mandates } from './read-mandates/mandates.js';
import { RevokeMandate } from './revoke-mandate.command.js';

/** Where mandates are changed and read. */
export interface MandateDesk {
  readonly commands: Pick<CommandBus, 'execute'>;
  readonly mandates: Mandates;
}

/** A mandate as an agent of its holder is shown it. */
export const readMandate = async (
  mandates: Mandates,
  id: string,
  caller: Party,
  urls: BaseUrls,
): Promise<MandateView> =>
  mandateView(await mandates.get(id, caller.holder), urls, await mandates.attached.notedOn(id, caller));

/** A mandate after it was revoked, whichever channel its agent uses (docs/interface.md, endpoint 9). */
export const revokedMandate = async (
  { commands, mandates }: MandateDesk,
  id: string,
  { caller, context, urls }: RequestContext,
): Promise<MandateView> => {
  const revoked = await commands.execute(new RevokeMandate(id, caller.holder, context));
  return mandateView(revoked, urls, await mandates.attached.notedOn(id, caller));
};

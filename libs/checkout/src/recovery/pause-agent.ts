import { type Context, DomainError, type Party } from '#kernel';
import { delegations, mandates } from '#mandate/pure';
import type { Checkouts } from '../checkouts.js';
import { endMandate, type EndingMandate, finishReserved } from './end-mandate.js';
import { grantApproved } from './grant-approved.js';

/** What is open in its delegation already asks for no place. */
const ANY_NUMBER = 0;

/** Stops an agent with its traveller's pause of everything, any number of times: nothing is captured then (docs/consistency.md, rule 41). */
export const pauseAgent = async (
  checkouts: Checkouts,
  { holder, clientId }: Party,
  pause: number,
  context: Context,
): Promise<void> => {
  const command = { type: 'PauseAgent', pause } as const;
  const { state } = await checkouts.aggregates.handle(delegations, { holder, clientId }, command, context);
  for (const mandateId of state.status === 'unknown' ? [] : Object.keys(state.openMandates))
    await pauseMandate(checkouts, { mandateId, holder, clientId }, pause, context);
};

/** Pauses what can be charged; what was opened and never created is given up, and what is over brought to its end. */
const pauseMandate = async (
  checkouts: Checkouts,
  ending: EndingMandate,
  pause: number,
  context: Context,
): Promise<void> => {
  const { aggregates } = checkouts;
  const { mandate } = await endMandate(checkouts, ending, context);
  if (mandate.kind !== 'granted') return;
  // Approved and opened, it may be created any moment: paused it can be only then.
  await grantApproved(aggregates, mandate, ANY_NUMBER, context).catch((error: unknown) => {
    if (!(error instanceof DomainError && error.code === 'agents_paused')) throw error;
  });
  const { mandateId, holder } = ending;
  const { state } = await aggregates.handle(mandates, mandateId, { type: 'Pause', holder, pause }, context);
  if (state.kind === 'granted') await finishReserved(checkouts, state, 'mandate_paused', context);
};

/** Lets an agent go on that a pause of everything stopped; what its traveller paused by itself stays so (rule 41). */
export const resumeAgent = async (
  { aggregates }: Pick<Checkouts, 'aggregates'>,
  { holder, clientId }: Party,
  pause: number,
  context: Context,
): Promise<void> => {
  const { state } = await aggregates.load(delegations, { holder, clientId });
  for (const mandateId of state.status === 'unknown' ? [] : Object.keys(state.openMandates)) {
    const { state: mandate } = await aggregates.load(mandates, mandateId);
    if (mandate.kind !== 'granted') continue;
    await aggregates.handle(mandates, mandateId, { type: 'Resume', holder, pause }, context);
  }
  await aggregates.handle(delegations, { holder, clientId }, { type: 'ResumeAgent', pause }, context);
};

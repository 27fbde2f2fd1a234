import { Aggregates } from '#event-store';
import { Clock, type Context, DomainError, type Instant, isId, TooLate } from '#kernel';
import type { MandateCommand } from '../mandate.commands.js';
import { mandates } from '../mandate.decider.js';
import type { GrantedMandate } from '../mandate.state.js';

/** A mandate and the instant of the answer: its status and what is left of its validity depend on both. */
export interface MandateAt {
  readonly mandate: GrantedMandate;
  readonly at: Instant;
}

/** A mandate of this holder as its stream has it now. @throws DomainError `mandate_not_found`, `mandate_forbidden` */
export const loadMandate = async (
  aggregates: Aggregates,
  mandateId: string,
  holder: string,
): Promise<GrantedMandate> => {
  if (!isId(mandateId)) throw new DomainError('mandate_not_found');
  const { state } = await aggregates.load(mandates, mandateId);
  if (state.kind !== 'granted') throw new DomainError('mandate_not_found');
  if (state.holder !== holder) throw new DomainError('mandate_forbidden');
  return state;
};

/** Has a mandate decide on its traveller's command. @throws DomainError `mandate_not_found`, and the command's refusal */
export const handleMandate = async (
  aggregates: Aggregates,
  mandateId: string,
  command: MandateCommand,
  context: Context,
): Promise<GrantedMandate> => {
  if (!isId(mandateId)) throw new DomainError('mandate_not_found');
  const { state } = await aggregates.handle(mandates, mandateId, command, context);
  if (state.kind !== 'granted') throw new DomainError('mandate_not_found');
  return state;
};

/** What an id came to: the mandate; null: nothing yet; a refusal: opened, never created and given up (docs/consistency.md, rule 19). */
export const createdMandate = async (
  aggregates: Aggregates,
  clock: Clock,
  mandateId: string,
): Promise<MandateAt | DomainError | null> => {
  const { state } = await aggregates.load(mandates, mandateId);
  if (state.kind === 'granted') return { mandate: state, at: clock.now() };
  return state.kind === 'abandoned' ? new TooLate() : null;
};

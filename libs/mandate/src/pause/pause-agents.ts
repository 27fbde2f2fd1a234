import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Checkouts, type EndingMandate, endMandate, finishReserved, grantApproved } from '#checkout';
import { ReadModelStore } from '#documents';
import type { Position } from '#event-store';
import { type Context, DomainError, type Party } from '#kernel';
import { listed, ReadModels } from '#read-models';
import { type AgentListItem, agentsProjection } from '../delegation/agents.projection.js';
import { delegations } from '../delegation/delegation.decider.js';
import { mandates } from '../mandate.decider.js';
import { everyAgent } from '../revoke-every-mandate.js';
import { pauses } from './pause.decider.js';
import { heldBy } from './pause.state.js';

/** What a traveller does to all of their agents at once. */
class OfAllAgents extends Command<void> {
  constructor(
    readonly holder: string,
    readonly context: Context,
  ) {
    super();
  }
}

/** Stops all agents of a traveller, those that they authorize later included. */
export class PauseAgents extends OfAllAgents {}

/** Lets all agents go on that `PauseAgents` stopped; a mandate that was paused by itself stays so. */
export class ResumeAgents extends OfAllAgents {}

/** Returns once no agent of the traveller has anything set aside, any number of times (docs/consistency.md, rule 41). */
@CommandHandler(PauseAgents)
export class PauseAgentsHandler implements ICommandHandler<PauseAgents> {
  constructor(
    private readonly checkouts: Checkouts,
    private readonly readModels: ReadModels,
    private readonly store: ReadModelStore,
  ) {}

  async execute({ holder, context }: PauseAgents): Promise<void> {
    const { aggregates } = this.checkouts;
    const { state, position } = await aggregates.handle(pauses, holder, { type: 'StartPause' }, context);
    if (state.phase === 'paused') return;
    const { pause } = state;
    for (const agent of await this.agentsUpTo(holder, position))
      await pauseAgent(this.checkouts, agent, pause, context);
    const complete = { type: 'CompletePause', pause } as const;
    const { state: completed } = await aggregates.handle(pauses, holder, complete, context);
    // Undone meanwhile: what was stopped after that has to go on.
    if (heldBy(completed) === undefined) await this.resume(holder, completed.pause, position, context);
  }

  /** Those that were let in before `position`; pressed again (null) it finds what is still held by the list. */
  async resume(holder: string, pause: number, position: Position | null, context: Context): Promise<void> {
    const agents = await (position === null ? this.agentsShown(holder) : this.agentsUpTo(holder, position));
    for (const agent of agents) await resumeAgent(this.checkouts, agent, pause, context);
  }

  /** Every agent that was let in before a place of the log: as the list shows them once it has come so far, else by the log. */
  private async agentsUpTo(holder: string, position: Position | null): Promise<readonly Party[]> {
    const isShown = position !== null && (await this.readModels.waitFor(delegations, position, PATIENCE));
    return isShown ? this.agentsShown(holder) : this.agentsInLog(holder);
  }

  private async agentsShown(holder: string): Promise<readonly Party[]> {
    if (!this.readModels.isBuilt(agentsProjection)) return this.agentsInLog(holder);
    const agents: Party[] = [];
    const collection = this.readModels.collectionOf(agentsProjection);
    for await (const { body } of listed<AgentListItem>(this.store, collection, { field: 'holder', equals: holder }))
      agents.push(body);
    return agents;
  }

  private async agentsInLog(holder: string): Promise<readonly Party[]> {
    return [...(await everyAgent(this.checkouts.events))].filter((agent) => agent.holder === holder);
  }
}

/** How long (ms) the list of agents may take to show those that the log has. */
const PATIENCE = 2_000;

@CommandHandler(ResumeAgents)
export class ResumeAgentsHandler implements ICommandHandler<ResumeAgents> {
  constructor(
    private readonly checkouts: Checkouts,
    private readonly pausing: PauseAgentsHandler,
  ) {}

  async execute({ holder, context }: ResumeAgents): Promise<void> {
    const { aggregates } = this.checkouts;
    const { state, position } = await aggregates.handle(pauses, holder, { type: 'EndPause' }, context);
    // An agent that was let in right before is not left standing still because the list does not have it yet.
    if (state.phase === 'resumed') await this.pausing.resume(holder, state.pause, position, context);
  }
}

/** Brings an agent that was just let in to what its traveller has said of all; no code of it may be handed out before. */
export class AlignAgent extends Command<void> {
  constructor(
    readonly party: Party,
    readonly context: Context,
  ) {
    super();
  }
}

/** A pause that the consent did not see yet has not seen the consent: one of the two finds the other (rule 41). */
@CommandHandler(AlignAgent)
export class AlignAgentHandler implements ICommandHandler<AlignAgent> {
  constructor(private readonly checkouts: Checkouts) {}

  async execute({ party, context: { actor: _, ...cause } }: AlignAgent): Promise<void> {
    const context = { ...cause, actor: { holder: party.holder, clientId: null } };
    const { state } = await this.checkouts.aggregates.load(pauses, party.holder);
    const held = heldBy(state);
    if (held !== undefined) await pauseAgent(this.checkouts, party, held, context);
    else if (state.pause > 0) await resumeAgent(this.checkouts, party, state.pause, context);
  }
}

/** What is open in its delegation already asks for no place. */
const ANY_NUMBER = 0;

/** Stops an agent with its traveller's pause of everything, any number of times: nothing is captured then (docs/consistency.md, rule 41). */
const pauseAgent = async (
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
const resumeAgent = async (
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

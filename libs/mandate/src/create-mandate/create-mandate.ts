import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { LRUCache } from 'lru-cache';
import { type Constraints, type SecurityEvent, securityLog } from '#events';
import { capOf, capRefusal } from '../delegation/spending-cap.rule.js';
import type { Delegation } from '../delegation/delegation.state.js';
import { delegationDecider, delegations } from '../delegation/delegation.decider.js';
import { Aggregates } from '#event-store';
import {
  Clock,
  type Context,
  DomainError,
  type Instant,
  type Money,
  money,
  type Party,
  plus,
  type Scope,
  TooLate,
  Unavailable,
  upTo,
} from '#kernel';
import { AttachedMetadata, type Metadata } from '#http';
import type { MandateAt } from '../read-mandates/load-mandate.js';
import { mandates } from '../mandate.decider.js';
import { PendingMandates } from '../pending-mandates.js';
import { grantedOf, type Grantor } from '../mandate.state.js';

/** Bounds on mandates; a value, the class is its own token. */
export abstract class MandateSettings {
  /** Mandates that one agent of one holder has open at once; 0 = unbounded. */
  abstract readonly openMandates: number;
}

/** How long (ms) a traveller has to answer an agent that asks for a mandate. */
const PENDING = 15 * 60_000;

/** What a traveller grants. `minutes`: how long it is valid. */
export interface MandateTerms {
  readonly scope: readonly Scope[];
  readonly limit: Money;
  readonly minutes: number;
  readonly constraints?: Constraints;
}

/** Grants a mandate under an id that the caller minted. `granted`: who decided it, and when; absent: the agent, now. */
export class CreateMandate extends Command<MandateAt> {
  constructor(
    readonly mandateId: string,
    readonly party: Party,
    readonly terms: MandateTerms,
    readonly context: Context,
    readonly granted: { readonly by: Grantor; readonly at?: Instant } = { by: 'agent' },
    readonly metadata: Metadata = {},
  ) {
    super();
  }
}

const onlyUnavailable = (error: unknown): void => {
  if (!(error instanceof Unavailable)) throw error;
};

/** Opens the mandate in what the traveller lets this agent do, and then creates it (docs/consistency.md, rule 19). */
@CommandHandler(CreateMandate)
export class CreateMandateHandler implements ICommandHandler<CreateMandate> {
  private readonly capRefusals: CapRefusals;

  constructor(
    private readonly aggregates: Aggregates,
    private readonly clock: Clock,
    private readonly settings: MandateSettings,
    private readonly pending: PendingMandates,
    private readonly attached: AttachedMetadata,
  ) {
    this.capRefusals = new CapRefusals(aggregates, clock);
  }

  async execute(command: CreateMandate): Promise<MandateAt> {
    const { mandateId, party, terms, context } = command;
    try {
      return await this.create(command);
    } catch (error) {
      if (error instanceof DomainError && error.code === 'mandate_cap_exceeded') {
        // That it is not written down makes the refusal no other one.
        await this.capRefusals.record({ ...party, mandateId, limit: terms.limit }, context).catch(onlyUnavailable);
      }
      throw error;
    }
  }

  private async create(command: CreateMandate): Promise<MandateAt> {
    const { mandateId, party, terms, context, granted, metadata } = command;
    const { holder, clientId } = party;
    if (granted.by === 'traveller') {
      // A consent that is carried out again may come long after what it created: that is not opened again.
      const { state } = await this.aggregates.load(mandates, mandateId);
      if (state.kind === 'granted' && !state.pending) return { mandate: state, at: this.clock.now() };
    }
    const duration = terms.minutes * 60_000;
    const open = {
      type: 'OpenMandate',
      mandateId,
      limit: terms.limit,
      expiresAt: plus(granted.at ?? this.clock.now(), duration),
      atMost: this.settings.openMandates,
      isDecided: granted.by === 'traveller',
      isFirst: true,
    } as const;
    const { state: delegation } = await this.aggregates.handle(delegations, { holder, clientId }, open, context);
    const opened = delegation.status === 'authorized' ? delegation.openMandates[mandateId] : undefined;
    if (!opened) return this.request(command, delegation);
    // A second call at once, or after one that broke off, creates it as it was opened.
    const { expiresAt } = opened;
    const create = {
      type: 'CreateMandate',
      mandateId,
      holder,
      clientId,
      ...terms,
      startsAt: plus(expiresAt, -duration),
      expiresAt,
      grantedBy: granted.by,
    } as const;
    await this.attached.keep(mandateId, party, metadata);
    const { state } = await this.aggregates
      .begin(mandates, mandateId, create, context)
      .catch(async (error: unknown) => {
        throw error instanceof TooLate ? await this.whyGivenUp(mandateId, party, terms.limit) : error;
      });
    return { mandate: grantedOf(state), at: this.clock.now() };
  }

  /** Asks the traveller, where the cap admits what is asked for. Nothing is opened before they have answered (rule 31). */
  private async request(
    { mandateId, party, terms, context, metadata }: CreateMandate,
    delegation: Delegation,
  ): Promise<MandateAt> {
    const { holder, clientId } = party;
    const refused = capRefusal(delegation, terms.limit);
    if (refused) throw refused;
    const requestedAt = this.clock.now();
    const lapsesAt = plus(requestedAt, PENDING);
    await this.pending.take(party, mandateId, lapsesAt);
    await this.attached.keep(mandateId, party, metadata);
    const request = { type: 'RequestMandate', mandateId, holder, clientId, ...terms, requestedAt, lapsesAt } as const;
    const { state } = await this.aggregates.handle(mandates, mandateId, request, context);
    return { mandate: grantedOf(state), at: this.clock.now() };
  }

  /** Why an opened mandate is never created: a cap was set (rule 28) or all was paused meanwhile (rule 41), or it took too long (rule 19). */
  private async whyGivenUp(mandateId: string, { holder, clientId }: Party, limit: Money): Promise<DomainError> {
    const { state } = await this.aggregates.load(delegations, { holder, clientId });
    if (state.status !== 'unknown' && state.pauseOfAll?.isOn) return new DomainError('agents_paused');
    const data = { mandateId, consumed: money(0, limit.currency), closedAt: this.clock.now() };
    return capRefusal(delegationDecider.evolve(state, { type: 'MandateClosed', data }), limit) ?? new TooLate();
  }
}

/** Refusals written an hour by each process, for each agent of a traveller: one that loops must not fill the log. */
const WRITTEN_AN_HOUR = 20;
const COUNTED = 10_000;

interface RefusedMandate extends Party {
  readonly mandateId: string;
  readonly limit: Money;
}

/** Mandates refused because of the agent's cap, written down for the auditors (`CapRefused`). */
export class CapRefusals {
  /** Written so far, by agent and hour. */
  private readonly written = new LRUCache<string, number>(upTo(COUNTED));

  constructor(
    private readonly aggregates: Aggregates,
    private readonly clock: Clock,
  ) {}

  /** `limit`: that of the mandate which was refused. */
  async record({ holder, clientId, mandateId, limit }: RefusedMandate, context: Context): Promise<void> {
    const now = this.clock.now();
    const agent = { holder, clientId };
    const key = `${delegations.streamOf(agent)} ${now.slice(0, 13)}`;
    const count = this.written.get(key) ?? 0;
    if (count >= WRITTEN_AN_HOUR) return;
    this.written.set(key, count + 1);
    const use = capOf((await this.aggregates.load(delegations, agent)).state);
    if (!use) return; // the cap was taken away in this moment
    const data = { holder, clientId, mandateId, limit, cap: use.limit, used: use.used, refusedAt: now };
    const facts: readonly SecurityEvent[] = [{ type: 'CapRefused', data }];
    await this.aggregates.handle(securityLog, now, { facts }, context);
  }
}

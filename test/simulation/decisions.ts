import {
  ApproveMandate,
  delegations,
  type MandateAt,
  NarrowMandate,
  PauseAgents,
  PauseMandate,
  ResumeAgents,
  ResumeMandate,
  RevokeMandate,
  SetSpendingCap,
  statusOf,
} from '#mandate';
import { type Money, money, newCause, type Party, plus, systemContext } from '#kernel';
import { RevokeAgent } from '#oauth';
import { PRICE } from '../support/market.js';
import type { Answered, Shown, Told } from './answered.js';
import type { SimulatedProcess } from './processes.js';
import type { Action } from './script.js';
import type { SimulatedStores } from './stores.js';
import { AGENTS, detailsOf, REQUESTS, URLS } from './world.js';

type Of<Do extends Action['do']> = Extract<Action, { do: Do }>;
export type Decision = Of<
  | 'revoke'
  | 'revoke agent'
  | 'pause'
  | 'resume'
  | 'pause all'
  | 'resume all'
  | 'narrow'
  | 'mode'
  | 'approve'
  | 'consent'
  | 'cap'
>;

const MINUTE = 60_000;
const CONTEXT = systemContext('a simulated decision');
/** A traveller acts by themselves. */
const contextOf = ({ holder }: Party) => ({ ...CONTEXT, actor: { holder, clientId: null } });
const trips = (count: number): Money => money(count * PRICE, 'BRL');

interface Deciding {
  readonly process: SimulatedProcess;
  readonly agent: number;
  readonly party: Party;
}

/** What travellers decide about their agents and their mandates. What has to hold once it was answered, the judge knows. */
export class Decisions {
  constructor(
    private readonly stores: SimulatedStores,
    private readonly answered: Answered,
  ) {}

  carryOut(process: SimulatedProcess, agent: number, decision: Decision): Promise<void> {
    const party = AGENTS[agent] ?? AGENTS[0];
    const asked = this.askedFor(agent, decision);
    return this.answered.asked(party, asked, () => this.decide({ process, agent, party }, decision));
  }

  private async decide(deciding: Deciding, decision: Decision): Promise<Shown | null> {
    const { process, agent, party } = deciding;
    const { use } = process;
    switch (decision.do) {
      case 'revoke': {
        const command = new RevokeMandate(this.idOf(agent, decision.mandate), party.holder, contextOf(party));
        return shown(await use.revokeMandate.execute(command));
      }
      case 'revoke agent':
        await use.revokeAgent.execute(new RevokeAgent(party.holder, party.clientId, contextOf(party)));
        return null;
      case 'pause': {
        const command = new PauseMandate(this.idOf(agent, decision.mandate), party.holder, contextOf(party));
        return shown(await use.pauseMandate.execute(command));
      }
      case 'resume': {
        const command = new ResumeMandate(this.idOf(agent, decision.mandate), party.holder, contextOf(party));
        return shown(await use.resumeMandate.execute(command));
      }
      case 'pause all':
        await use.pauseAgents.execute(new PauseAgents(party.holder, contextOf(party)));
        return null;
      case 'resume all':
        await use.resumeAgents.execute(new ResumeAgents(party.holder, contextOf(party)));
        return null;
      case 'narrow':
        return shown(await this.narrow(deciding, decision));
      case 'mode': {
        const command = { type: 'SetApprovalMode', asksFirst: decision.asks } as const;
        await use.aggregates.handle(delegations, party, command, contextOf(party));
        return null;
      }
      case 'approve': {
        const terms = { limit: trips(decision.trips), minutes: decision.minutes };
        const command = new ApproveMandate(this.idOf(agent, decision.mandate), party.holder, terms, contextOf(party));
        return shown(await use.approveMandate.execute(command));
      }
      case 'consent':
        await this.consent(deciding, decision);
        return null;
      case 'cap': {
        const cap = decision.trips === null ? null : trips(decision.trips);
        await use.setSpendingCap.execute(new SetSpendingCap(party.holder, party.clientId, cap, contextOf(party)));
        return null;
      }
    }
  }

  private askedFor(agent: number, decision: Decision): Told {
    switch (decision.do) {
      case 'revoke agent':
      case 'pause all':
      case 'resume all':
        return { did: decision.do };
      case 'mode':
        return { did: 'mode', asksFirst: decision.asks };
      case 'cap':
        return { did: 'cap', cap: decision.trips === null ? null : decision.trips * PRICE };
      case 'consent': {
        const { requests = [], mandates = [] } = this.stores.belongings[agent] ?? {};
        const requestId = requests[decision.request] ?? '';
        const places = REQUESTS[decision.request] ?? [];
        const granted = detailsOf(mandates, places, decision.trips).map(({ mandateId, limit }) => ({
          mandateId,
          limit: limit.amount,
        }));
        if (decision.decision === 'deny') return { did: 'deny', requestId, mandates: granted };
        const cap = typeof decision.cap === 'number' ? decision.cap * PRICE : decision.cap;
        return { did: 'consent', requestId, mandates: granted, cap, asksFirst: decision.asks };
      }
      default:
        return { did: decision.do, mandateId: this.idOf(agent, decision.mandate) };
    }
  }

  private narrow({ process, agent, party }: Deciding, { mandate, ...to }: Of<'narrow'>) {
    const terms = {
      ...(to.trips !== null && { limit: trips(to.trips) }),
      ...(to.minutes !== null && { expiresAt: plus(process.clock.now(), to.minutes * MINUTE) }),
    };
    return process.use.narrowMandate.execute(
      new NarrowMandate(this.idOf(agent, mandate), party.holder, terms, contextOf(party)),
    );
  }

  private async consent({ process, agent, party }: Deciding, decided: Of<'consent'>): Promise<void> {
    const { request, decision, cap, asks } = decided;
    const { requests = [], mandates = [] } = this.stores.belongings[agent] ?? {};
    const requestId = requests[request] ?? '';
    const decider = { holder: party.holder, cause: newCause(this.stores.ids), urls: URLS };
    if (decision === 'deny') {
      await process.use.consent.deny(requestId, decider);
      return;
    }
    const details = detailsOf(mandates, REQUESTS[request] ?? [], decided.trips);
    const granted = { cap: typeof cap === 'number' ? trips(cap) : cap, asksFirst: asks, details };
    await process.use.consent.approve(requestId, decider, granted);
  }

  private idOf(agent: number, place: number): string {
    return this.stores.belongings[agent]?.mandates[place] ?? '';
  }
}

const shown = ({ mandate, at }: MandateAt): Shown => ({
  status: statusOf(mandate, at),
  limit: mandate.limit.amount,
  expiresAt: mandate.expiresAt,
});

import { LRUCache } from 'lru-cache';
import { capOf, delegations } from '#delegation';
import type { Aggregates } from '#event-store';
import { type SecurityEvent, securityLog } from '#events';
import type { Clock } from '#kernel';
import type { CreateMandate } from './create-mandate.js';

/** Refusals written an hour by each process, for each agent of a traveller: one that loops must not fill the log. */
const WRITTEN_AN_HOUR = 20;
/** Agents counted at once. */
const COUNTED = 10_000;

/** Mandates refused because of the agent's cap, written down for the auditors (design.md §4, `CapRefused`). */
export class CapRefusals {
  /** Written so far, by agent and hour. */
  private readonly written = new LRUCache<string, number>({ max: COUNTED });

  constructor(
    private readonly aggregates: Aggregates,
    private readonly clock: Clock,
  ) {}

  async record({ mandateId, party: { holder, clientId }, terms: { limit }, context }: CreateMandate): Promise<void> {
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

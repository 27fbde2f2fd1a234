import { LRUCache } from 'lru-cache';
import { capOf, delegations } from '#delegation';
import type { Aggregates } from '#event-store';
import { type SecurityEvent, securityLog } from '#events';
import type { Clock, Context, Money, Party } from '#kernel';

/** Refusals written an hour by each process, for each agent of a traveller: one that loops must not fill the log. */
const WRITTEN_AN_HOUR = 20;
/** Agents counted at once. */
const COUNTED = 10_000;

/** A mandate that would have passed the cap. */
interface RefusedMandate extends Party {
  readonly mandateId: string;
  readonly limit: Money;
}

/** Mandates refused because of the agent's cap, written down for the auditors (`CapRefused`). */
export class CapRefusals {
  /** Written so far, by agent and hour; made with the first, since its places are. */
  private written: LRUCache<string, number> | null = null;

  constructor(
    private readonly aggregates: Aggregates,
    private readonly clock: Clock,
  ) {}

  /** `limit`: that of the mandate which was refused. */
  async record({ holder, clientId, mandateId, limit }: RefusedMandate, context: Context): Promise<void> {
    const now = this.clock.now();
    const agent = { holder, clientId };
    const key = `${delegations.streamOf(agent)} ${now.slice(0, 13)}`;
    const written = (this.written ??= new LRUCache({ max: COUNTED }));
    const count = written.get(key) ?? 0;
    if (count >= WRITTEN_AN_HOUR) return;
    written.set(key, count + 1);
    const use = capOf((await this.aggregates.load(delegations, agent)).state);
    if (!use) return; // the cap was taken away in this moment
    const data = { holder, clientId, mandateId, limit, cap: use.limit, used: use.used, refusedAt: now };
    const facts: readonly SecurityEvent[] = [{ type: 'CapRefused', data }];
    await this.aggregates.handle(securityLog, now, { facts }, context);
  }
}

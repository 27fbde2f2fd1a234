import { type Documents, type ReadModelStore, SECRETS } from '#documents';
import { type Clock, DomainError, within } from '#kernel';
import type { Lag, ReadModels } from '#read-models';

/** How long (ms) an answer holds: who asks more often asks no store. */
const HOLDS = 1_000;
/** How long (ms) a store may take to answer. */
const PATIENCE = 2_000;
/** How far (s) behind the log a read model counts as caught up. A take-over after a crash takes 10 s, a silence is told every 5 s. */
const BEHIND = 30;

/** What readiness looks at. */
interface Observed {
  readonly documents: Documents;
  readonly readModelStore: ReadModelStore;
  readonly readModels: Pick<ReadModels, 'lag'>;
  readonly clock: Clock;
}

/** What may be missing, by the names that the operator knows it by. */
interface StoreNames {
  readonly events: string;
  readonly documents: string;
}

/** Whether this process can do its work, and if not, what is missing for it. */
export class Readiness {
  private isStopping = false;
  /** Once the read models have been seen up to date, falling behind is for the operator's alarm: decisions read streams. */
  private hasCaughtUp = false;
  private asked: { readonly at: number; readonly findings: Promise<Findings> } | null = null;

  constructor(
    private readonly observed: Observed,
    private readonly names: StoreNames,
  ) {}

  /** From now on nothing new should come: the process is about to stop. */
  stop(): void {
    this.isStopping = true;
  }

  /**
   * How far each read model is behind the log, where nothing is missing.
   *
   * @throws DomainError `service_unavailable`, naming in its details what is missing
   */
  async check(): Promise<ReadonlyMap<string, Lag>> {
    if (this.isStopping) throw new DomainError('service_unavailable', { missing: ['stopping'] });
    const now = this.observed.clock.monotonic();
    if (!this.asked || now - this.asked.at > HOLDS) this.asked = { at: now, findings: this.look() };
    const { missing, lag } = await this.asked.findings;
    if (missing.length > 0) throw new DomainError('service_unavailable', { missing });
    return lag;
  }

  private async look(): Promise<Findings> {
    const { documents, readModelStore, readModels, clock } = this.observed;
    const [lag, hasDocuments, hasReadModels] = await Promise.all([
      answerOf(clock, readModels.lag(clock.now())),
      answerOf(clock, documents.get(SECRETS.name, 'readiness')),
      answerOf(clock, readModelStore.collections('readiness')),
    ]);
    const isBehind = [...(lag?.values() ?? [])].some(({ seconds }) => seconds > BEHIND);
    this.hasCaughtUp ||= lag !== undefined && !isBehind;
    const missing = [
      ...(lag === undefined ? [this.names.events] : []),
      ...(hasDocuments === undefined ? [this.names.documents] : []),
      ...(hasReadModels === undefined || (isBehind && !this.hasCaughtUp) ? ['read-models'] : []),
    ];
    return { missing, lag: lag ?? new Map() };
  }
}

interface Findings {
  readonly missing: readonly string[];
  readonly lag: ReadonlyMap<string, Lag>;
}

/** What a store answers; undefined where it fails or takes too long. The time-out is ours: every store has its own. */
const answerOf = <Answer>(clock: Clock, reading: Promise<Answer>): Promise<Answer | undefined> =>
  within(
    clock,
    PATIENCE,
    reading.catch(() => undefined),
    () => undefined,
  );

import { openCheckoutsProjection } from '#checkout/pure';
import { type Documents, type ReadModelStore, SECRETS } from '#documents';
import { type Clock, DomainError, within } from '#kernel';
import { openMandatesProjection } from '#mandate/pure';
import type { Lag, ReadModels } from '#read-models';

/** How long (ms) findings are reused, so that frequent checks do not reach the stores. */
const HOLDS = 1_000;
/** How long (ms) a store may take to answer. */
const PATIENCE = 2_000;
/** How far (s) behind the log a read model that is built still counts as caught up. A take-over after a crash takes about 10 s. */
const BEHIND = 30;

/** Without them nobody finishes what breaks off: a list that an event stopped for good grows no more. */
const WORK_LISTS = [openCheckoutsProjection, openMandatesProjection];

interface Observed {
  readonly documents: Documents;
  readonly readModelStore: ReadModelStore;
  readonly readModels: Pick<ReadModels, 'lag' | 'builtShare' | 'failureOf' | 'stopped'>;
  readonly clock: Clock;
}

/** The names under which operators know the stores, and who else there is. */
interface Surroundings {
  readonly events: string;
  readonly documents: string;
  /** Whether others answer while this process's lists are not up to date. One that is alone answers everything else. */
  readonly waitsForLists: boolean;
}

/** Whether this process can do its work, and if not, what is missing. */
export class Readiness {
  private isStopping = false;
  /** After the read models have caught up once, lag no longer makes the process unready: decisions read streams. An alarm reports it. */
  private hasCaughtUp = false;
  private latest: { readonly at: number; readonly findings: Promise<Findings> } | null = null;

  constructor(
    private readonly observed: Observed,
    private readonly surroundings: Surroundings,
  ) {}

  /** Reports the process as not ready from now on, since it is about to stop. */
  stop(): void {
    this.isStopping = true;
  }

  /** How far each read model is behind, and what stopped it. @throws DomainError `service_unavailable` naming what is missing */
  async check(): Promise<Omit<Findings, 'missing'>> {
    if (this.isStopping) throw new DomainError('service_unavailable', { missing: ['stopping'] });
    const now = this.observed.clock.monotonic();
    if (!this.latest || now - this.latest.at > HOLDS) this.latest = { at: now, findings: this.look() };
    const { missing, ...found } = await this.latest.findings;
    if (missing.length > 0) throw new DomainError('service_unavailable', { missing });
    return found;
  }

  private async look(): Promise<Findings> {
    const { documents, readModelStore, readModels, clock } = this.observed;
    const [lag, hasDocuments, hasReadModels] = await Promise.all([
      answerOf(clock, readModels.lag(clock.now())),
      answerOf(clock, documents.get(SECRETS.name, 'readiness')),
      answerOf(clock, readModelStore.collections('readiness')),
    ]);
    const isBehind = readModels.builtShare < 1 || [...(lag?.values() ?? [])].some(({ seconds }) => seconds > BEHIND);
    this.hasCaughtUp ||= lag !== undefined && !isBehind;
    const missing = [
      ...(lag === undefined ? [this.surroundings.events] : []),
      ...(hasDocuments === undefined ? [this.surroundings.documents] : []),
      ...(hasReadModels === undefined || (this.surroundings.waitsForLists && isBehind && !this.hasCaughtUp)
        ? ['read-models']
        : []),
      ...(WORK_LISTS.some((list) => readModels.failureOf(list)) ? ['recovery'] : []),
    ];
    const stopped = (lag && (await answerOf(clock, readModels.stopped(lag)))) ?? new Set<string>();
    return { missing, lag: lag ?? new Map<string, Lag>(), stopped };
  }
}

interface Findings {
  readonly missing: readonly string[];
  readonly lag: ReadonlyMap<string, Lag>;
  /** Which an event has stopped that this program cannot read: what they answer grows no newer. */
  readonly stopped: ReadonlySet<string>;
}

/** The answer of a store; undefined if it fails or takes too long. Stores have time-outs of their own; this one is the same for all. */
const answerOf = <Answer>(clock: Clock, reading: Promise<Answer>): Promise<Answer | undefined> =>
  within(
    clock,
    PATIENCE,
    reading.catch(() => undefined),
    () => undefined,
  );

import { type Clock, millisecondsOf } from '#kernel';
import type { Policy, TreeRoot } from '#verifier';
import type { Cosignatures } from './cosignatures.js';
import { NotCosigned, type OfferedTree, Witness } from './witness.js';

/** How long (ms) a witness that fails is left alone: longer after each failure. */
const [FIRST_PAUSE, LONGEST_PAUSE] = [1_000, 60_000];

export interface OfferedHead extends TreeRoot, OfferedTree {}

/** How witnesses are reported: for metrics and the log of the process. */
export interface WitnessObserver {
  /** Every offer, by the witness's name in the policy. */
  readonly onOffer: (witness: string, outcome: 'cosigned' | 'refused' | 'failed') => void;
  /** A witness has begun to fail (why), or cosigns again (null). */
  readonly onTrouble: (witness: string, trouble: string | null, isRefusal: boolean) => void;
}

export interface WitnessParts {
  readonly policy: Policy;
  readonly cosignatures: Pick<Cosignatures, 'add'>;
  /** The head as it is now; null before the first. */
  readonly head: () => Promise<OfferedHead | null>;
  readonly clock: Clock;
  /** How often (ms) the head is looked at. */
  readonly interval: number;
  readonly observer: WitnessObserver;
  readonly onError: (error: unknown) => void;
}

interface Watched {
  readonly witness: Witness;
  cosigned: number;
  /** How long it has just been left alone (ms), and until when; 0: it did not fail. */
  pause: number;
  restsUntil: number;
}

/** Offers each head to all witnesses in one round, so that their cosignatures meet on it. Nothing waits for a round. */
export class Witnesses {
  private readonly watched: readonly Watched[];
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(private readonly parts: WitnessParts) {
    this.watched = parts.policy.witnesses
      .filter(({ url }) => url !== null)
      .map((known) => ({ witness: new Witness(known, parts.clock), cosigned: 0, pause: 0, restsUntil: 0 }));
  }

  start(): void {
    this.running = this.run();
  }

  /** Breaks off the offers that are under way. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  /** Offers the head to every witness that has not cosigned it and is not left alone. @throws DocumentsUnavailable */
  async round(): Promise<void> {
    const { clock, head: readHead } = this.parts;
    const now = clock.now();
    const due = this.watched.filter(({ restsUntil }) => restsUntil <= millisecondsOf(now));
    const head = due.length > 0 ? await readHead() : null;
    if (!head) return;
    const offered = due.filter(({ cosigned }) => cosigned !== head.size);
    await Promise.all(offered.map((one) => this.offer(one, head, now)));
  }

  private async run(): Promise<void> {
    const { clock, interval, onError } = this.parts;
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await this.round().catch(onError);
      await clock.sleep(interval, signal);
    }
  }

  private async offer(watched: Watched, head: OfferedHead, at: string): Promise<void> {
    const { cosignatures, observer, clock } = this.parts;
    const { witness } = watched;
    const { signal } = this.stopping;
    try {
      await cosignatures.add(head, at, witness.name, await witness.offer(head, signal));
    } catch (error) {
      if (signal.aborted) return;
      const isRefusal = error instanceof NotCosigned && error.isRefusal;
      observer.onOffer(witness.name, isRefusal ? 'refused' : 'failed');
      if (watched.pause === 0) observer.onTrouble(witness.name, String(error), isRefusal);
      watched.pause = Math.min(LONGEST_PAUSE, Math.max(FIRST_PAUSE, watched.pause * 2));
      watched.restsUntil = millisecondsOf(clock.now()) + watched.pause;
      return;
    }
    observer.onOffer(witness.name, 'cosigned');
    if (watched.pause > 0) observer.onTrouble(witness.name, null, false);
    Object.assign(watched, { cosigned: head.size, pause: 0 });
  }
}

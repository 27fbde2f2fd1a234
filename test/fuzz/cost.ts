import type { Big } from './big.js';
import type { Composed } from './requests.js';
import type { Target } from './target.js';
import { bytesOf } from './wire.js';

/** What a request cost the service's process, in ms of the CPU. */
export interface Cost {
  readonly milliseconds: number;
  readonly bytes: number;
  readonly composed: Composed;
}

/** The most that a request of up to 64 KiB may cost, in ms of the CPU. */
const MOST = 20;
/** A ticket is drawn in up to nine pages, between which others have their turn, and counts as twenty requests. */
const MOST_DRAWN = 9 * MOST;
/** What seems to cost more is asked for again, at most so many times. */
const [DEAR, REPEATS] = [6, 15];
/** How much more a request may cost that is twice as long. What costs less than `DEAR` says nothing of growth. */
const GROWTH = 2.6;
const KEPT = 10;

/** Watches what single requests cost, each alone: the least of several measurements, which no busy machine raises. */
export class CostWatch {
  private kept: readonly Cost[] = [];

  constructor(
    private readonly target: Target,
    private readonly send: (composed: Composed) => Promise<unknown>,
  ) {}

  /** The dearest first, one of each operation. */
  get worst(): readonly Cost[] {
    return this.kept;
  }

  /** What is wrong with the cost of a request; null: nothing. */
  async watch(composed: Composed): Promise<string | null> {
    const { milliseconds, bytes } = await this.measured(composed);
    const most = composed.sent.target.includes('/ticket.pdf') ? MOST_DRAWN : MOST;
    return milliseconds > most ? `${milliseconds.toFixed(1)} ms of the CPU for ${bytes} bytes` : null;
  }

  /** What is wrong with the cost of a request at its longest, and with how it grew up to there; null: nothing. */
  async watchGrowth({ most, of }: Big): Promise<string | null> {
    const dear = await this.watch(of(most));
    let whole = (await this.measured(of(most))).milliseconds;
    if (dear !== null || whole <= DEAR) return dear;
    let half = (await this.measured(of(most / 2))).milliseconds;
    for (let again = 0; again < REPEATS && whole > GROWTH * half; again += 1) {
      whole = Math.min(whole, await this.once(of(most)));
      half = Math.max(half, await this.once(of(most / 2)));
    }
    return whole > GROWTH * half ? `${half.toFixed(1)} ms for a half and ${whole.toFixed(1)} ms for the whole` : null;
  }

  private async measured(composed: Composed): Promise<Cost> {
    let least = Infinity;
    for (let times = 0; times < REPEATS && least > DEAR; times += 1) least = Math.min(least, await this.once(composed));
    const cost = { milliseconds: least, bytes: bytesOf(composed.sent).length, composed };
    const others = this.kept.filter((one) => one.composed.operation !== composed.operation);
    const same = this.kept.find((one) => one.composed.operation === composed.operation);
    this.kept = [...others, same && same.milliseconds > least ? same : cost]
      .sort((one, other) => other.milliseconds - one.milliseconds)
      .slice(0, KEPT);
    return cost;
  }

  private async once(composed: Composed): Promise<number> {
    const before = await this.target.spent();
    await this.send(composed);
    return (await this.target.spent()) - before;
  }
}

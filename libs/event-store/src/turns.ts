import { LRUCache } from 'lru-cache';
import { type Clock, upTo } from '#kernel';

/** The longest rest (ms), also where a turn took longer. */
const LONGEST_REST = 100;
/** For how long (ms) a process appends again and again before it lets others go first once, whom it could not notice. */
const ALONE = 1_000;
/** How long (ms) it then rests. */
const LOOK = 20;

/** Times are monotonic ms. */
interface Turn {
  /** When the last append of this process ended, and how long others are let go first after it. */
  readonly ended: number;
  readonly rest: number;
  /** Since when it has appended again and again, and looked at nothing that others did. */
  readonly since: number;
  /** Until when others are expected. */
  readonly shared: number;
}

/**
 * Who appends next where several processes append to one stream. Whoever appended last could append again at once, and the
 * others, who have to read first, would come too late every time: so it rests for about as long as its turn took. This decides
 * nothing: the store refuses whoever comes too late (docs/adr/0088).
 */
export class Turns {
  private readonly turns = new LRUCache<string, Turn>(upTo(1_000));

  /** @param memory for how long (ms) others are expected in a stream after they appended to it */
  constructor(
    private readonly clock: Clock,
    private readonly memory: number,
  ) {}

  /** Whether others may well have appended since this process did, so that reading comes first. */
  isShared(stream: string): boolean {
    const turn = this.turns.get(stream);
    return turn !== undefined && (this.clock.monotonic() < turn.shared || turn.ended - turn.since > ALONE);
  }

  /** How long (ms) others are let go first; 0 or less: no longer. */
  restIn(stream: string): number {
    const turn = this.turns.get(stream);
    return turn ? turn.ended + turn.rest - this.clock.monotonic() : 0;
  }

  /** Others were seen to have appended. */
  othersAppended(stream: string): void {
    const now = this.clock.monotonic();
    const turn = this.turns.get(stream) ?? { ended: 0, rest: 0, since: now };
    this.turns.set(stream, { ...turn, shared: now + this.memory });
  }

  /** This process has appended, in a turn that began then (monotonic ms), with reading or without. */
  appended(stream: string, began: number, hasRead: boolean): void {
    const ended = this.clock.monotonic();
    const last = this.turns.get(stream);
    const goesOn = last && !hasRead && began - last.ended < LONGEST_REST;
    const since = goesOn ? last.since : ended;
    const shared = last?.shared ?? 0;
    const alone = ended - since > ALONE ? LOOK : 0;
    const rest = ended < shared ? Math.min(ended - began, LONGEST_REST) : alone;
    this.turns.set(stream, { ended, rest, since, shared });
  }
}

import { Injectable } from '@nestjs/common';
import { Clock, type Instant, plus } from '#kernel';
import { inProgress, Sessions } from './sessions.js';
import type { Session, SessionLine, StoredSession } from './stored-session.js';

/**
 * How long (ms) a purchase keeps everybody from changing or canceling what it buys, and within how long its checkout has to
 * start, which keeps them from it afterwards: what starts late is in the log before the first is over.
 */
const [COMPLETING, STARTING] = [60_000, 30_000] as const;

/** From when on the purchase that holds a session starts no checkout. */
export const startsBefore = ({ body: { completingUntil } }: Session): Instant | undefined =>
  completingUntil && plus(completingUntil, STARTING - COMPLETING);

/** Keeps sessions as they are while they are bought: what is charged is what they show. */
@Injectable()
export class SessionHolds {
  constructor(
    private readonly sessions: Sessions,
    private readonly clock: Clock,
  ) {}

  /** Does the work of a purchase for a traveller. @throws UcpError where somebody was faster, or somebody else is buying it */
  async during<Result>(
    read: Session,
    holder: string,
    more: Pick<Partial<StoredSession>, 'approval'>,
    work: (session: Session) => Promise<Result>,
  ): Promise<Result> {
    const now = this.clock.now();
    const { holder: earlier, completingUntil: heldUntil = '', completions = 1 } = read.body;
    const isHeld = now < heldUntil;
    // Somebody else's purchase of the same may have written nothing yet but this.
    if (earlier !== null && earlier !== holder && isHeld) throw inProgress();
    const completingUntil = plus(now, COMPLETING);
    const held = { holder, completingUntil, completions: isHeld ? completions + 1 : 1 };
    const session = await this.sessions.change(read, { ...read.body, ...more, ...held });
    try {
      return await work(session);
    } finally {
      await this.letGo(session.id, completingUntil);
    }
  }

  /** Shows another price from now on. @throws UcpError where another purchase may be on its way at the one that it was shown */
  async reprice(held: Session, line: SessionLine): Promise<void> {
    if (held.body.completions !== 1) throw inProgress();
    await this.sessions.change(held, { ...held.body, line });
  }

  /** Lets others change a session again that a purchase held until then, and no other one holds. */
  private async letGo(id: string, heldUntil: Instant): Promise<void> {
    await this.sessions.stored.update(id, (body) => {
      const { completingUntil = '', completions = 1 } = body ?? {};
      // A hold that ended by itself is no part of the one that may be there now.
      if (!body || completingUntil < heldUntil || this.clock.now() >= heldUntil) return null;
      const isLast = completions === 1;
      return {
        ...body,
        completions: isLast ? undefined : completions - 1,
        ...(isLast && { completingUntil: undefined }),
      };
    });
  }
}

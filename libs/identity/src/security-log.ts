import { Injectable } from '@nestjs/common';
import { Aggregates } from '#event-store';
import { type SecurityEvent, securityLog } from '#events';
import { type Actor, type Cause, Clock, type Instant } from '#kernel';

/** The security events of tokens and logins, for the auditors (docs/decisions.md, OAuth). */
@Injectable()
export class SecurityLog {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly clock: Clock,
  ) {}

  /** Records the event that `eventAt` returns for the present instant, in the stream of its day. @throws Unavailable */
  async record(eventAt: (now: Instant) => SecurityEvent, actor: Actor, cause: Cause): Promise<void> {
    const now = this.clock.now();
    const context = { actor, ...cause };
    await this.aggregates.handle(securityLog, now, { facts: [eventAt(now)] }, context);
  }
}

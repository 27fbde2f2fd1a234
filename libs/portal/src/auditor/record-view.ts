import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Aggregates } from '#event-store';
import { type Cause, Clock, SYSTEM } from '#kernel';
import { auditLog, type View } from './audit-log.decider.js';

/** Writes down that an auditor looks at a page, before they see it. @throws DomainError `rate_limited`; Unavailable */
export class RecordView extends Command<void> {
  constructor(
    readonly view: View,
    readonly cause: Cause,
  ) {
    super();
  }
}

@CommandHandler(RecordView)
export class RecordViewHandler implements ICommandHandler<RecordView> {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly clock: Clock,
  ) {}

  async execute({ view, cause }: RecordView): Promise<void> {
    await this.aggregates.handle(auditLog, this.clock.now(), view, { actor: SYSTEM, ...cause });
  }
}

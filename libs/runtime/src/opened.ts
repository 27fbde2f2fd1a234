import type { Logger } from 'pino';
import { type Clock, STOP_BUDGET, SystemClock, within } from '#kernel';

/** The steps that close something, in their order. */
const STEPS = ['requests', 'traffic', 'work', 'stores', 'telemetry'] as const;
type Step = (typeof STEPS)[number];

/** By when (ms), counted from the beginning of the end, a step is over. */
const deadlineOf = (step: Step): number =>
  STEPS.slice(0, STEPS.indexOf(step) + 1).reduce((sum, one) => sum + STOP_BUDGET[one], 0);

/** What a process has opened, to be closed when it ends, or when what comes next cannot be opened. */
export class Opened {
  private readonly closers: { readonly step: Step; readonly close: () => Promise<void> | void }[] = [];

  constructor(
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /** Steps are closed in their order; within one, what was opened last is closed first. */
  add(step: Step, close: () => Promise<void> | void): void {
    this.closers.unshift({ step, close });
  }

  /** Closes everything: what fails or is late keeps nothing else open. @throws the first error, once everything was tried */
  async close(): Promise<void> {
    const since = this.clock.monotonic();
    const errors: unknown[] = [];
    const inOrder = this.closers.splice(0).sort((one, other) => STEPS.indexOf(one.step) - STEPS.indexOf(other.step));
    for (const { step, close } of inOrder) {
      const left = Math.max(0, deadlineOf(step) - (this.clock.monotonic() - since));
      try {
        await within(this.clock, left, Promise.resolve().then(close), () =>
          this.logger.error({ step }, 'not finished in time'),
        );
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  }
}

/** Runs `open`. If it fails, what it had opened is closed again. */
export const opening = async <Running>(
  logger: Logger,
  open: (opened: Opened) => Promise<Running>,
): Promise<Running> => {
  const opened = new Opened(new SystemClock(), logger);
  try {
    return await open(opened);
  } catch (error) {
    await opened.close().catch((other: unknown) => logger.error({ err: other }, 'closing failed'));
    throw error;
  }
};

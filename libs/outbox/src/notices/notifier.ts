import { LeasedWork, type SharedLease } from '#documents';
import { type Clock, lazily } from '#kernel';
import type { MailFigures, MailSender } from './mail-sender.js';
import type { NoticeWriter } from './notice-writer.js';

/** How long (ms) after a round the next one begins, and how long at most where rounds fail. */
const [PACE, LONGEST] = [250, 60_000];
/** How long (ms) the end of a process waits for a mail server: what is not known to be sent is sent again. */
const PATIENCE = 500;

type Round = (signal: AbortSignal) => Promise<void>;

export interface NotifierParts {
  readonly writer: NoticeWriter;
  /** Null: no mail server is configured, and the page alone has the notices. */
  readonly sender: MailSender | null;
  /** Prepares what both stand on. */
  readonly prepare: () => Promise<void>;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
  readonly lease: SharedLease;
}

/** Keeps notices and mails up with the log, in rounds: a mail server that is away keeps no notice from the page. */
export class Notifier {
  private readonly prepared: () => Promise<void>;
  private readonly noticing: LeasedWork;
  /** Whether it is this process that works. */
  private isWorking = false;

  constructor(private readonly parts: NotifierParts) {
    this.prepared = lazily(parts.prepare);
    this.noticing = new LeasedWork({ ...parts, name: 'notices', work: (over) => this.work(over) });
  }

  /** What this process has to mail; null where it does not. @throws DocumentsUnavailable */
  async figures(): Promise<MailFigures | null> {
    const { sender } = this.parts;
    return this.isWorking && sender ? sender.figures() : null;
  }

  start(): void {
    this.noticing.start();
  }

  stop(): Promise<void> {
    return this.noticing.stop(this.parts.clock.sleep(PATIENCE));
  }

  private async work(signal: AbortSignal): Promise<void> {
    const { writer, sender } = this.parts;
    const rounds: readonly Round[] = [
      (ending) => writer.write(ending),
      ...(sender ? [(ending: AbortSignal) => sender.send(ending)] : []),
    ];
    this.isWorking = true;
    await Promise.all(rounds.map((round) => this.repeat(round, signal)));
    this.isWorking = false;
  }

  private async repeat(round: Round, signal: AbortSignal): Promise<void> {
    const { clock, onError } = this.parts;
    const isOver = (): boolean => signal.aborted; // it changes meanwhile
    for (let failures = 0; !isOver();) {
      try {
        await this.prepared();
        await round(signal);
        failures = 0;
      } catch (error) {
        if (isOver()) return;
        onError(error);
        failures += 1;
      }
      await clock.sleep(Math.min(PACE * 2 ** failures, LONGEST), signal);
    }
  }
}

import type { Leases } from '#documents';
import { type Clock, lazily } from '#kernel';
import type { MailFigures, MailSender } from './mail-sender.js';
import type { NoticeWriter } from './notice-writer.js';

/** How long (ms) after a round the next one begins, and how long at most where rounds fail. */
const [PACE, LONGEST] = [250, 60_000];
/** How long (ms) the end of a process waits for a mail server: what is not known to be sent is sent again. */
const PATIENCE = 500;
const LEASE = 'notices';

type Round = (signal: AbortSignal) => Promise<void>;

export interface NotifierParts {
  readonly writer: NoticeWriter;
  /** Null: no mail server is configured, and the page alone has the notices. */
  readonly sender: MailSender | null;
  /** Prepares what both stand on. */
  readonly prepare: () => Promise<void>;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
  /** Of several processes one works, for as long (ms) as it holds the lease; null: there is one. */
  readonly lease: { readonly leases: Leases; readonly milliseconds: number } | null;
}

/** Keeps notices and mails up with the log, in rounds: a mail server that is away keeps no notice from the page. */
export class Notifier {
  private readonly stopping = new AbortController();
  private readonly prepared: () => Promise<void>;
  private running: Promise<void> | null = null;
  /** Whether it is this process that works. */
  private isWorking = false;

  constructor(private readonly parts: NotifierParts) {
    this.prepared = lazily(parts.prepare);
  }

  /** What this process has to mail; null where it does not. @throws DocumentsUnavailable */
  async figures(): Promise<MailFigures | null> {
    const { sender } = this.parts;
    return this.isWorking && sender ? sender.figures() : null;
  }

  start(): void {
    this.running ??= this.run(this.stopping.signal);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    const { clock, lease, onError } = this.parts;
    await Promise.race([this.running, clock.sleep(PATIENCE)]);
    await lease?.leases.release(LEASE).catch(onError);
  }

  private run(signal: AbortSignal): Promise<void> {
    const { lease, onError } = this.parts;
    const work = (over: AbortSignal) => this.work(over);
    return lease ? lease.leases.whenever(LEASE, lease.milliseconds, signal, work, onError) : work(signal);
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

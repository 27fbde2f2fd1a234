import { AppendOutcomeUnknown } from '#event-store';
import { DomainError, type Instant, type Party } from '#kernel';
import type { Answer, Moment } from './end.js';

/** What was asked for and told, without who was told it and when. */
export type Told = Answer extends infer One
  ? One extends Answer
    ? Omit<One, 'asked' | 'answered' | 'holder' | 'clientId' | 'refusal'>
    : never
  : never;

/** A mandate as it was answered; `limit` in cents. */
export interface Shown {
  readonly status: string;
  readonly limit: number;
  readonly expiresAt: Instant;
}

/** What was answered while a life went on. Everything answered has to hold in the end. */
export class Answered {
  readonly wrongs: string[] = [];
  readonly answers: Answer[] = [];
  private readonly promises: (() => string | null)[] = [];

  constructor(private readonly now: () => Moment) {}

  /** Does what somebody asks for, and keeps what they were told. `work` answers the mandate, if it is about one. */
  async asked(party: Party, asked: Told, work: () => Promise<Shown | null>): Promise<void> {
    const since = this.now();
    try {
      const shown = await work();
      this.keep(party, since, null, asked, shown);
    } catch (error) {
      this.keep(party, since, refusalOf(error), asked);
      throw error;
    }
  }

  /** Keeps an answer; `refusal`: its code, `open` where the outcome was said to be unknown, null: none. */
  keep(
    { holder, clientId }: Party,
    asked: Moment,
    refusal: string | null,
    told: Told,
    shown: Shown | null = null,
  ): void {
    this.answers.push({ asked, answered: this.now(), holder, clientId, refusal, ...told, ...shown });
  }

  /** Keeps something to be looked at when everything is over. */
  promise(what: string, isKept: () => boolean): void {
    this.promises.push(() => (isKept() ? null : `${what}, and that did not last`));
  }

  /** What was answered and turned out otherwise. */
  broken(): readonly string[] {
    return this.promises.map((check) => check()).filter((finding) => finding !== null);
  }
}

/** An outage says nothing of how far it came. */
const refusalOf = (error: unknown): string =>
  error instanceof DomainError && !(error.cause instanceof AppendOutcomeUnknown) ? error.code : 'open';

import { Unavailable } from '#kernel';

/** Somebody else appended at the expected revision: nothing was written. */
export class RevisionConflict extends Error {
  override readonly name = 'RevisionConflict';
}

/** No answer in time, or the connection broke: the events may or may not be in the log. Resend the same bytes. */
export class AppendOutcomeUnknown extends Unavailable {
  override readonly name = 'AppendOutcomeUnknown';
}

/** The store refused or cannot be reached, and nothing was written. */
export class StoreUnavailable extends Unavailable {
  override readonly name = 'StoreUnavailable';
}

/** Others kept a stream busy for as long as a command may try, and nothing was written. */
export class StreamBusy extends Unavailable {
  override readonly name = 'StreamBusy';
}

/** One append holds more than the store takes; nothing was written. A defect of the program, which no retry mends. */
export class EventsTooLarge extends Error {
  override readonly name = 'EventsTooLarge';
}

/** A stream does not read as it was written, so nothing may be decided on it. The message is for the operator. */
export class StreamDamaged extends Error {
  override readonly name = 'StreamDamaged';

  constructor(stream: string, revision: number, what: string) {
    super(
      `the event log is damaged at ${stream}@${revision}: ${what}. Nothing is decided on this stream. Stop the service and ` +
        'restore the log and the documents from a backup (docs/operations.md, Damaged data)',
    );
  }
}

/** The URL of the event store cannot be used. The message is for the operator and has no credentials. */
export class UnusableUrl extends Error {
  override readonly name = 'UnusableUrl';
}

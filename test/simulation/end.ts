import type { StoredEvent } from '#event-store';
import type { Instant } from '#kernel';

/** When something came to pass in a life: a number that grows with every step of its scheduler. */
export type Moment = number;

/** The documents of one collection by id, those alone that have not expired at the end. */
export type Bodies = ReadonlyMap<string, unknown>;

/** What is left of a life when faults have stopped and recovery has ended: all that the judge is given. */
export interface End {
  /** The whole log, in order, and when each of its events was written. */
  readonly log: readonly StoredEvent[];
  readonly written: readonly Moment[];
  /** Each capture of the processor, and when it came to pass. */
  readonly captures: readonly { readonly orderId: string; readonly at: Moment }[];
  /** Everything in documents, by collection: the ledger, places of what waits, records of keys, leases. */
  readonly documents: ReadonlyMap<string, Bodies>;
  /** Every read model of the life, by the name of its projection. */
  readonly readModels: ReadonlyMap<string, Bodies>;
  readonly answers: readonly Answer[];
  /** The transparency log; null: nobody sealed in this life. */
  readonly transparency: Transparency | null;
  /** The time at the end, by the clock of the world. */
  readonly now: Instant;
}

export interface Transparency {
  /** Every head that was put in place, in order. The last one is the head now. */
  readonly heads: readonly TreeHead[];
  /** The stored tiles, as `StoredTiles` keeps them. */
  readonly tiles: Bodies;
  /** The key of the marks by which entries stand for the events of a stream. */
  readonly keyOf: (stream: string) => Uint8Array;
}

/** A tree of so many entries; `root` in base64, `position` as in the log. */
export interface TreeHead {
  readonly size: number;
  readonly root: string;
  readonly position: string;
}

/** Integer cents. */
type Cents = number;

/** What somebody asked for, and what they were told. What was never answered, since its process died, is not here. */
export type Answer = Ordered | Decided | Agreed | Seen | Shopped;

export interface Given {
  readonly asked: Moment;
  readonly answered: Moment;
  readonly holder: string;
  readonly clientId: string;
  /** Code of the refusal, `open` where the outcome was said to be unknown; null: it was done. */
  readonly refusal: string | null;
}

/** `POST /orders`. */
export interface Ordered extends Given {
  readonly did: 'order';
  /** The id of the order that was answered for, or that it would have had. */
  readonly orderId: string;
  readonly bookingId: string;
  /** Absent: none was named. */
  readonly mandateId?: string | undefined;
  /** The `Idempotency-Key`, and what was sent with it. */
  readonly key?: { readonly text: string; readonly body: string } | undefined;
  /** What its agent thought that it costs; absent: any total was right. */
  readonly expectedTotal?: Cents | undefined;
  /** The most that it named; absent: what was promised. */
  readonly acceptUpTo?: Cents | undefined;
  /** What a paid order was answered with. */
  readonly paid?: { readonly ticketCode: string; readonly total: Cents } | undefined;
}

/** The traveller's decisions about one mandate, and the agent's own revocation. `limit` and `expiresAt` as answered. */
export interface Decided extends Given {
  readonly did: 'create' | 'approve' | 'narrow' | 'pause' | 'resume' | 'revoke';
  readonly mandateId: string;
  readonly status?: string | undefined;
  readonly limit?: Cents | undefined;
  readonly expiresAt?: Instant | undefined;
}

export interface Agreed extends Given {
  readonly did: 'cap' | 'mode' | 'consent' | 'deny' | 'revoke agent' | 'pause all' | 'resume all';
  /** In force from now on, in BRL; null: none; absent: as it was. */
  readonly cap?: Cents | null | undefined;
  readonly asksFirst?: boolean | undefined;
  /** Of a consent or its refusal: which one, and its mandates with the ceilings that were granted. */
  readonly requestId?: string | undefined;
  readonly mandates?: readonly { readonly mandateId: string; readonly limit: Cents }[] | undefined;
}

export interface Seen extends Given {
  readonly did: 'look';
  readonly mandateId: string;
  readonly status?: string | undefined;
  readonly amounts: {
    readonly limit: Cents;
    readonly consumed: Cents;
    readonly reserved: Cents;
    readonly remaining: Cents;
  };
}

/** What a platform, or a traveller on its page, was shown of a checkout session. */
export interface Shopped extends Given {
  readonly did: 'shop';
  readonly what: 'complete' | 'change' | 'cancel' | 'look' | 'press' | 'refuse' | 'decide';
  readonly sessionId: string;
  /** null: nothing. */
  readonly shown: {
    readonly status: string;
    readonly total?: Cents | undefined;
    readonly seats?: number | undefined;
    readonly orderId?: string | undefined;
  } | null;
}

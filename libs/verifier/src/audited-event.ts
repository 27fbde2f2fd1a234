/** A JSON object of which nothing is known. */
export type Json = Readonly<Record<string, unknown>>;

/** An event as it lies in the log and in a bundle: what its hash covers, and the hash. */
export interface AuditedEvent {
  /** The logical name, without an adapter's namespace prefix. */
  readonly stream: string;
  /** Place in its stream; the first is 0. */
  readonly revision: number;
  readonly type: string;
  readonly data: Json;
  readonly metadata: AuditedMetadata;
}

/** The envelope of an event (docs/decisions.md, Streams and events). */
export interface AuditedMetadata {
  readonly eventId: string;
  /** RFC 3339 UTC with milliseconds. */
  readonly occurredAt: string;
  readonly actor: { readonly holder: string | null; readonly clientId: string | null };
  /** Whose the event is, where somebody else was the actor. */
  readonly party?: { readonly holder: string; readonly clientId: string };
  readonly schemaVersion: number;
  /** Hex SHA-256 that chains this event to the one before it (docs/consistency.md, rule 27). */
  readonly hash: string;
}

/** An amount in cents, with its ISO 4217 currency. */
export interface Amount {
  readonly amount: number;
  readonly currency: string;
}

/** A rule that does not hold, and where: what an audit exists to find. */
export interface Breach {
  /** Short and stable, such as `chain` or `ceiling`: every rule has a line in docs/audit-format.md. */
  readonly rule: string;
  readonly stream: string;
  /** The event at which it was seen; null: the stream as a whole. */
  readonly revision: number | null;
  /** One English sentence for people. */
  readonly message: string;
}

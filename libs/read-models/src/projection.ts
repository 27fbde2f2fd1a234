import type { Category, DomainEvent } from '#events';
import type { Index } from '#documents';
import type { Position } from '#event-store';
import type { Actor, Instant } from '#kernel';

/** An event as a projection sees it: typed, with its place in the log. */
export type RecordedEvent = DomainEvent & {
  readonly stream: string;
  readonly revision: number;
  readonly position: Position;
  readonly occurredAt: Instant;
  readonly actor: Actor;
};

/**
 * A read model as pure functions of events (conventions.md, 7). Safe to apply twice: the projector folds an event into
 * a document only if its position is greater than the document's.
 */
export interface Projection<Body extends object> {
  /** Kebab-case; part of the collection's name. */
  readonly name: string;
  /** Raised when the documents' form changes; old and new code never write one document (rule 24). */
  readonly version: number;
  /** Categories of the streams it reads. */
  readonly categories: readonly Category[];
  readonly indexes: readonly Index[];
  /** Ids of the documents an event changes. */
  readonly documentsOf: (event: RecordedEvent) => readonly string[];
  /**
   * A document (null: not there) after an event; null deletes it. Written as a method so that projections of any body are
   * `Projection<object>` to the projector, which trusts what it stored itself.
   */
  evolve(document: Body | null, event: RecordedEvent, id: string): Body | null;
}

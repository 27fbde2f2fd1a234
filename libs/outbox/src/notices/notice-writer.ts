import type { EventStore, StoredEvent } from '#event-store';
import type { Accounts } from '#identity';
import { type Mandate, mandates } from '#mandate';
import type { Outbox } from '../outbox.js';
import type { Place } from '../places.js';
import { isNoticed, type NoticePlace } from './notice-types.js';
import type { Notices } from './notices.js';

/** How many places are read at a time. */
const BATCH = 200;

export interface NoticeWriterParts {
  readonly outbox: Pick<Outbox, 'after' | 'end'>;
  readonly events: Pick<EventStore, 'readStream'>;
  readonly accounts: Accounts;
  readonly notices: Notices;
  /** Whether mails are sent at all. */
  readonly isMailing: boolean;
}

/** Makes the notices of public events. Who writes them again, after a crash or beside another process, changes nothing. */
export class NoticeWriter {
  /** Where the outbox ended when all of it was noted; undefined: it is not known here. */
  private noted: string | null | undefined;

  constructor(private readonly parts: NoticeWriterParts) {}

  /** Goes on where the last one was, up to the end. */
  async write(signal: AbortSignal): Promise<void> {
    const { outbox, notices } = this.parts;
    const end = await outbox.end();
    if (end === this.noted) return;
    for (let reached = await notices.reached(); !signal.aborted;) {
      const places = await outbox.after(reached, 'everybody', BATCH, end);
      const last = places.at(-1);
      if (!last) break;
      await Promise.all(places.filter(isNoticed).map((place) => this.note(place)));
      await notices.reach((reached = last.key));
    }
    if (!signal.aborted) this.noted = end;
  }

  private async note(place: NoticePlace): Promise<void> {
    const { accounts, events, notices, isMailing } = this.parts;
    // An erased person's agents and mandates end after the account is gone.
    const isKnown = (await accounts.emailOf(place.holder)) !== null;
    if (isKnown && (await isNews(events, place))) await notices.add(place, isMailing);
  }
}

/** Whether it is news to the traveller: not what they did themselves, nor what was nearly spent or ended where all is spent. */
const isNews = async (events: NoticeWriterParts['events'], place: NoticePlace): Promise<boolean> => {
  const { type, stream, revision } = place;
  const isEnd = type === 'mandate.revoked' || type === 'mandate.expired';
  if (isEnd && !hasRoom(await mandateAt(events, stream, revision - 1))) return false;
  if (type === 'mandate.nearly_exhausted' && !hasRoom(await mandateAt(events, stream, revision))) return false;
  return type === 'mandate.expired' || !isOwnAct(await eventAt(events, place), place);
};

const isOwnAct = ({ metadata: { actor } }: StoredEvent, { holder }: Place): boolean =>
  actor.holder === holder && actor.clientId === null;

/** Whether it was granted, and not all of it was spent. */
const hasRoom = (mandate: Mandate): boolean =>
  mandate.kind === 'granted' && !mandate.pending && mandate.consumed < mandate.limit.amount;

/** The mandate as it was after the event of this revision. */
const mandateAt = async (events: NoticeWriterParts['events'], stream: string, upTo: number): Promise<Mandate> => {
  let mandate = mandates.decider.initialState();
  for await (const event of events.readStream(stream)) {
    if (event.revision > upTo) break;
    mandate = mandates.decider.evolve(mandate, mandates.decode(event));
  }
  return mandate;
};

const eventAt = async (events: NoticeWriterParts['events'], { stream, revision }: Place): Promise<StoredEvent> => {
  for await (const event of events.readStream(stream, revision)) return event;
  throw new Error(`there is no ${stream}@${revision}`);
};

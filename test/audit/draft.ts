import { createHash, createHmac } from 'node:crypto';
import { type LogReport, verifyLog, type VerifyOptions } from '#audit';
import { SECRETS, storedSecret } from '#documents';
import { BEGINNING, type EventMetadata, expectedHash, positionOf, type RawEvent, type StoredEvent } from '#event-store';
import { canonicalJson } from '#kernel';
import { LEDGER } from '#checkout';
import { Heads } from '#transparency';
import {
  appendLeaf,
  base64url,
  CHAIN_START,
  type Checkpoint,
  EMPTY,
  entryBytes,
  hex,
  leafHash,
  rootOf,
} from '#verifier';
import { FixedClock } from '#testing';
import type { Books } from '../support/books.js';
import { MemoryDocuments } from '../../libs/documents/src/testing/index.js';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();
/** Between two events of a log there is room for others. */
const SPACING = 10;

export interface DraftEvent {
  stream: string;
  revision: number;
  type: string;
  data: Record<string, unknown>;
  metadata: { -readonly [Name in keyof EventMetadata]: EventMetadata[Name] };
  position: number;
}

const storedEvent = ({ position, ...event }: DraftEvent): StoredEvent => ({ ...event, position: positionOf(position) });

/** The books of somebody who has the files in hand, and changes them as they like. */
export class Draft {
  private constructor(
    readonly events: DraftEvent[],
    readonly ledger: Map<string, Record<string, unknown>>,
  ) {}

  static of({ events, ledger }: Books): Draft {
    const drafts = events.map(({ stored: { stream, revision, type, data, metadata } }, place) =>
      structuredClone({ stream, revision, type, data, metadata: { ...metadata }, position: (place + 1) * SPACING }),
    );
    return new Draft(drafts, new Map([...ledger].map(([id, row]) => [id, structuredClone({ ...row })])));
  }

  all(type?: string, isIt: (event: DraftEvent) => boolean = () => true): readonly DraftEvent[] {
    return this.events.filter((event) => (type === undefined || event.type === type) && isIt(event));
  }

  first(type: string, isIt?: (event: DraftEvent) => boolean): DraftEvent {
    const [found] = this.all(type, isIt);
    if (!found) throw new Error(`the sound log has no such ${type}`);
    return found;
  }

  last(type: string, isIt?: (event: DraftEvent) => boolean): DraftEvent {
    const found = this.all(type, isIt).at(-1);
    if (!found) throw new Error(`the sound log has no such ${type}`);
    return found;
  }

  remove(...gone: readonly DraftEvent[]): void {
    for (const event of gone) this.events.splice(this.events.indexOf(event), 1);
  }

  /** Puts a copy of an event, changed, behind another one. */
  insert(after: DraftEvent, like: DraftEvent, changes: Partial<DraftEvent> = {}): DraftEvent {
    const event = { ...structuredClone(like), ...changes, position: after.position + 1 };
    this.events.splice(this.events.indexOf(after) + 1, 0, event);
    return event;
  }

  swap(one: DraftEvent, other: DraftEvent): void {
    const [first, second] = [this.events.indexOf(one), this.events.indexOf(other)];
    [this.events[first], this.events[second]] = [other, one];
    [one.position, other.position] = [other.position, one.position];
  }

  /** Numbers and hashes every stream anew, as somebody would who knows how it is done. */
  rehash(): void {
    const ends = new Map<string, DraftEvent>();
    for (const event of this.events) {
      const before = ends.get(event.stream);
      event.revision = before ? before.revision + 1 : 0;
      event.metadata.hash = expectedHash(before?.metadata.hash ?? hex(CHAIN_START), storedEvent(event));
      ends.set(event.stream, event);
    }
  }

  raw(): readonly RawEvent[] {
    return this.events.map(({ stream, revision, type, data, metadata, position }) => ({
      stream,
      revision,
      type,
      data: canonicalJson(data),
      metadata: canonicalJson(metadata),
      position: positionOf(position),
    }));
  }
}

/** The tree of a log as anybody computes it who has the secret. */
const treeOf = (events: readonly RawEvent[], secret: Uint8Array) => {
  const hmac = (key: Uint8Array, text: string): Uint8Array => createHmac('sha256', key).update(text).digest();
  const secretOfKeys = hmac(secret, 'alcada.event/v2');
  const edge = events
    .filter(({ stream }) => !stream.startsWith('traffic-'))
    .reduce((tree, { stream, revision, metadata }) => {
      const mark = base64url(hmac(hmac(secretOfKeys, stream), String(revision)));
      const { hash } = JSON.parse(metadata) as { readonly hash: string };
      return appendLeaf(sha256, tree, leafHash(sha256, entryBytes({ mark, hash })));
    }, EMPTY);
  return { size: edge.size, root: rootOf(sha256, edge) };
};

/** Stores in which books lie, of which the sound ones were sealed. */
export class AuditedStores {
  private constructor(
    private readonly documents: MemoryDocuments,
    private readonly secret: Uint8Array,
  ) {}

  static async open(): Promise<AuditedStores> {
    const documents = new MemoryDocuments(new FixedClock());
    await documents.prepare(SECRETS);
    await documents.prepare(LEDGER);
    await new Heads(documents).prepare();
    return new AuditedStores(documents, await storedSecret(documents, 'tlog-pseudonyms', []));
  }

  /** The tree of books, as somebody would keep its checkpoint. */
  checkpointOf(draft: Draft): Checkpoint {
    return { origin: 'example.com/tlog', ...treeOf(draft.raw(), this.secret) };
  }

  /** Seals books: the head that the service has signed is theirs. */
  async seal({ size, root }: Checkpoint): Promise<void> {
    const heads = new Heads(this.documents);
    await heads.replace(await heads.read(), { size, root, position: positionOf(0), markedAfter: BEGINNING });
  }

  async audit(draft: Draft, options: Partial<VerifyOptions> = {}): Promise<LogReport> {
    for (const { id } of await this.documents.scan(LEDGER.name, null, 1_000_000))
      await this.documents.delete(LEDGER.name, id);
    for (const [id, row] of draft.ledger) await this.documents.insert(LEDGER.name, id, row);
    const raw = draft.raw();
    const last = draft.events.at(-1);
    const events = {
      head: () => Promise.resolve(last ? storedEvent(last) : null),
      readPages: async function* () {
        await Promise.resolve();
        for (let from = 0; from < raw.length; from += 500) yield raw.slice(from, from + 500);
      },
    };
    const sources = { events, documents: this.documents, readModelStore: this.documents, clock: new FixedClock() };
    return verifyLog(sources, { since: null, sealing: [], ...options });
  }
}

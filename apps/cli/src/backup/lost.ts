import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type Document, type Documents, EmbeddedDocuments } from '#documents';
import { EmbeddedEventStore, type EventStore, type StoredEvent } from '#event-store';
import { SystemClock } from '#kernel';
import { Heads } from '#transparency';
import type { Checkpoint } from '#verifier';
import { count, table } from '../audit/format.js';
import { keptCheckpoint } from './next-log.js';

interface LostType {
  readonly type: string;
  readonly count: number;
  /** Where: each stream once. */
  readonly streams: readonly string[];
}

/** What differs of documents that somebody has to change again. */
interface LostDocuments {
  readonly collection: string;
  /** Here and below the ids, or of grants each agent with its traveller. In the backup alone: they were removed since. */
  readonly removed: readonly string[];
  /** With another secret, key or password since. */
  readonly changed: readonly string[];
  readonly added: readonly string[];
}

/** What is known of the time after a backup. */
export interface Lost {
  /** The last known head of the log; null: it is not known. */
  readonly head: Pick<Checkpoint, 'size' | 'root'> | null;
  /** How many entries were signed after the backup; null: it is not known. */
  readonly entries: number | null;
  readonly events: readonly LostType[];
  readonly documents: readonly LostDocuments[];
  /** Why not all could be read; null: it was. */
  readonly unread: string | null;
}

interface Kept {
  readonly events: EventStore;
  readonly documents: Documents;
}

/** Compares a backup with the folder used since, or only counts by a checkpoint. @throws UnusableFile where there is neither */
export const lostSince = async (place: string, kept: Kept): Promise<Lost> => {
  const heads = new Heads(kept.documents);
  await heads.prepare();
  const sealed = (await heads.read())?.size ?? 0;
  const isFile = statSync(place, { throwIfNoEntry: false })?.isFile() ?? false;
  if (isFile) {
    const head = await keptCheckpoint(place, kept.documents);
    return { head, entries: Math.max(0, head.size - sealed), events: [], documents: [], unread: null };
  }
  const unread: string[] = [];
  const failed = (error: unknown): void => void unread.push(error instanceof Error ? error.message : String(error));
  const events = await eventsSince(join(place, 'events.db'), kept.events, failed);
  const found = await documentsSince(join(place, 'documents.db'), kept.documents, failed);
  const entries = found.head && Math.max(0, found.head.size - sealed);
  return { ...found, entries, events, unread: unread.length === 0 ? null : unread.join('; ') };
};

const eventsSince = async (file: string, kept: EventStore, failed: (error: unknown) => void) => {
  const found = new Map<string, { count: number; readonly streams: Set<string> }>();
  const listed = () =>
    [...found].map(([type, { count, streams }]): LostType => ({ type, count, streams: [...streams] }));
  try {
    const events = await EmbeddedEventStore.openToRead(file);
    try {
      const end = await kept.head();
      if (end && !(await hasSame(events, end))) throw new Error(`${file} is not a later state of the same log`);
      for await (const { stream, type } of events.readAll(end)) {
        const known = found.get(type) ?? { count: 0, streams: new Set() };
        found.set(type, known);
        known.count += 1;
        known.streams.add(stream);
      }
    } finally {
      await events.close();
    }
  } catch (error) {
    failed(error);
  }
  return listed();
};

const hasSame = async (events: EventStore, { stream, revision, metadata }: StoredEvent): Promise<boolean> => {
  for await (const event of events.readStream(stream, revision)) return event.metadata.hash === metadata.hash;
  return false;
};

/** Where somebody's right to act lies, and what of a document decides on it. */
interface Rights {
  readonly collection: string;
  readonly decides: readonly string[];
  /** Its owner, where the id says nothing to people. */
  readonly nameOf?: (body: Body) => string;
}
const RIGHTS: readonly Rights[] = [
  { collection: 'clients', decides: ['secretHash', 'jwks', 'jwksUri', 'redirectUris'] },
  { collection: 'accounts', decides: ['email', 'password'] },
  { collection: 'auditors', decides: ['email', 'password'] },
  {
    collection: 'grants',
    decides: ['scopes', 'details'],
    nameOf: ({ clientId, holder }) => `${String(clientId)} of ${String(holder)}`,
  },
];

const documentsSince = async (file: string, kept: Documents, failed: (error: unknown) => void) => {
  const found: LostDocuments[] = [];
  let head: Lost['head'] = null;
  try {
    const documents = await EmbeddedDocuments.openToRead(file, new SystemClock());
    try {
      const heads = new Heads(documents);
      await heads.prepare();
      head = await heads.read();
      for (const rights of RIGHTS) {
        const { collection } = rights;
        const [before, after] = [await rightsIn(kept, rights), await rightsIn(documents, rights)];
        const ids = [...before.keys()];
        found.push({
          collection,
          removed: ids.filter((id) => !after.has(id)),
          changed: ids.filter((id) => after.has(id) && after.get(id) !== before.get(id)),
          added: [...after.keys()].filter((id) => !before.has(id)),
        });
      }
    } finally {
      await documents.close();
    }
  } catch (error) {
    failed(error);
  }
  return { head, documents: found.filter((one) => one.removed.length + one.changed.length + one.added.length > 0) };
};

type Body = Readonly<Record<string, unknown>>;

/** What is in force, by owner. */
const rightsIn = async (documents: Documents, { collection, decides, nameOf }: Rights) => {
  await documents.prepare({ name: collection, indexes: [] });
  const rights = new Map<string, string>();
  for (let after: string | null = null; ;) {
    const page: readonly Document<Body>[] = await documents.scan<Body>(collection, after, 500);
    for (const { id, body } of page) {
      if ((body['revoked'] ?? null) !== null) continue; // a grant that was ended
      const name = nameOf?.(body) ?? id;
      // Of several grants of one agent each counts.
      const decided = JSON.stringify(decides.map((member) => body[member] ?? null));
      rights.set(name, [rights.get(name), decided].filter(Boolean).join());
    }
    after = page.at(-1)?.id ?? null;
    if (page.length < 500) return rights;
  }
};

const SHOWN = 10;

const some = (ids: readonly string[]): string =>
  ids.slice(0, SHOWN).join(' ') + (ids.length > SHOWN ? ` … (${ids.length}; --json has all)` : '');

export const lostText = ({ entries, events, documents, unread }: Lost): string => {
  const rows = [
    ...events.map(({ type, count: times, streams }) => [type, `${times}`, some(streams)]),
    ...documents.flatMap(({ collection, removed, changed, added }) =>
      Object.entries({ removed, changed, added })
        .filter(([, ids]) => ids.length > 0)
        .map(([what, ids]) => [`${collection} ${what}`, `${ids.length}`, some(ids)]),
    ),
  ];
  const signed = entries === null ? 'an unknown number of entries' : count(entries, 'entry', 'entries');
  return (
    `\nSigned after the backup, and lost: ${signed}.\n` +
    (rows.length > 0 ? table(['since the backup', 'times', 'where'], rows) : '') +
    (unread === null ? '' : `Not all could be read: ${unread}\n`)
  );
};

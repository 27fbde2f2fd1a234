import { existsSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Documents, EmbeddedDocuments } from '#documents';
import { EmbeddedEventStore, type EventMetadata, type EventStore, type Position, type RawEvent } from '#event-store';
import { bookingEvents } from '#events';
import type { Clock } from '#kernel';
import { LEDGER, REFUNDS } from '#checkout';
import { buildUpTo } from '#read-models';
import { PROJECTIONS } from '#runtime';

export interface Source {
  readonly events: EventStore;
  readonly documents: Documents;
  readonly clock: Clock;
}

/** How far a replay is: the share, 0 to 1, of what it does now. */
export type ReportProgress = (work: 'Copying the log' | 'Building the read models', share: number) => void;

/** How many writes wait for one flush of the disk. */
const AT_ONCE = 500;

/** As `made`; where that fails, nothing of it stays in the folder, which was empty. */
export const replayIntoFolder = async (
  source: Source,
  to: Position,
  folder: string,
  report: ReportProgress,
): Promise<number> => {
  try {
    return await made(source, to, folder, report);
  } catch (error) {
    for (const name of existsSync(folder) ? readdirSync(folder) : []) await rm(join(folder, name), { recursive: true });
    throw error;
  }
};

/** Makes a data folder as of `to`: log, read models, and the ledger's rows of its orders. Returns the number of events. */
const made = async (source: Source, to: Position, folder: string, report: ReportProgress): Promise<number> => {
  const { clock } = source;
  const events = await EmbeddedEventStore.open({ file: join(folder, 'events.db'), appendTimeout: 60_000 });
  try {
    const { count, orders, until } = await copyLog(source.events, to, events, report);
    const documents = await EmbeddedDocuments.open({ file: join(folder, 'documents.db'), durability: 'full', clock });
    await copyLedger(source.documents, orders, until, documents).finally(() => documents.close());
    const store = await EmbeddedDocuments.open({ file: join(folder, 'read-models.db'), durability: 'normal', clock });
    const end = (await events.head())?.position ?? to; // the copy counts its events again
    const onProgress = (share: number) => report('Building the read models', share);
    await buildUpTo(PROJECTIONS, end, { events, store }, onProgress).finally(() => store.close());
    return count;
  } finally {
    await events.close();
  }
};

const copyLog = async (from: EventStore, to: Position, into: EventStore, report: ReportProgress) => {
  const orders = new Set<string>();
  let count = 0;
  let until = '';
  for await (const page of from.readPages(null)) {
    const wanted = page.filter(({ position }) => position <= to);
    for (let first = 0; first < wanted.length; first += AT_ONCE)
      await Promise.all(wanted.slice(first, first + AT_ONCE).map((event) => appendTo(into, event)));
    for (const { type, data } of wanted)
      if (type === 'BookingCheckoutStarted') orders.add(bookingEvents[type].parse(JSON.parse(data)).orderId);
    const last = wanted.at(-1);
    if (last) until = envelopeOf(last).occurredAt;
    if (last) report('Copying the log', Number((BigInt(last.position) * 1_000n) / BigInt(to)) / 1_000);
    count += wanted.length;
    if (wanted.length < page.length) break;
  }
  report('Copying the log', 1);
  return { count, orders, until };
};

const envelopeOf = ({ metadata }: RawEvent): EventMetadata => JSON.parse(metadata) as EventMetadata;

const appendTo = (into: EventStore, event: RawEvent) => {
  const { stream, revision, type, data, metadata } = event;
  return into.append(stream, revision - 1, [{ id: envelopeOf(event).eventId, type, data, metadata }]);
};

/** The ledger says when it captured, and not when it refused or closed: those rows are as they are today. */
const copyLedger = async (from: Documents, orders: ReadonlySet<string>, until: string, into: Documents) => {
  await from.prepare(LEDGER);
  await into.prepare(LEDGER);
  for (const documents of [from, into]) await documents.prepare(REFUNDS);
  let waiting: Promise<unknown>[] = [];
  for (const orderId of orders) {
    const row = await from.get<{ readonly capturedAt?: string }>(LEDGER.name, orderId);
    if (!row || (row.body.capturedAt ?? '') > until) continue;
    waiting.push(into.insert(LEDGER.name, orderId, row.body));
    const refund = await from.get<{ readonly refundedAt?: string; readonly failedAt?: string }>(REFUNDS.name, orderId);
    const { refundedAt, failedAt } = refund?.body ?? {};
    if (refund && (refundedAt ?? failedAt ?? '') <= until)
      waiting.push(into.insert(REFUNDS.name, orderId, refund.body));
    if (waiting.length < AT_ONCE) continue;
    await Promise.all(waiting);
    waiting = [];
  }
  await Promise.all(waiting);
};

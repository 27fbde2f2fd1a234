import { resolve } from 'node:path';
import type { Command } from 'commander';
import { type Config, masked } from '#config';
import { openMongoDocuments, UnusableDatabase } from '#documents';
import { type EventStore, type Position, positionOf, type StoredEvent } from '#event-store';
import { buildUpTo } from '#read-models';
import { progressLine, PROJECTIONS, type Screen } from '#runtime';
import { type Cli, type JsonOption, type Line, printed, refuseUnlessEmpty, withStoresToRead } from '../command-line.js';
import { replayIntoFolder, type Source, type ReportProgress } from './data-folder.js';

/** The last event of the log as it is to be: at a position, or before what happened after an instant. */
const endOf = async (to: string, { events }: Source): Promise<StoredEvent> => {
  const head = await events.head();
  if (!head) throw new Error('the log is empty');
  if (/^\d{1,20}$/.test(to)) return endAt(positionOf(BigInt(to)), events, head);
  if (!/^\d{4}-\d{2}-\d{2}T/.test(to) || Number.isNaN(Date.parse(to)))
    throw new Error(`--to ${to}: give a position of the log, or an instant such as 2026-11-22T15:00:00Z`);
  const instant = new Date(to).toISOString();
  return lastBefore(({ metadata }) => metadata.occurredAt > instant, events, to);
};

const endAt = async (place: Position, events: EventStore, head: StoredEvent): Promise<StoredEvent> => {
  if (place > head.position) throw new Error(`the log ends at position ${BigInt(head.position)}`);
  if (place === head.position) return head;
  return lastBefore(({ position }) => position > place, events, `position ${BigInt(place)}`);
};

const lastBefore = async (isBeyond: (event: StoredEvent) => boolean, events: EventStore, to: string) => {
  let last: StoredEvent | null = null;
  for await (const event of events.readAll(null)) {
    if (isBeyond(event)) break;
    last = event;
  }
  if (!last) throw new Error(`the log begins after ${to}`);
  return last;
};

/** `mongodb:<name>` is a database beside the service's own; any other address is one as MongoDB writes it. */
const databaseOf = (into: string, { servers }: Config) => {
  const name = /^mongodb:([\w-]+)$/.exec(into)?.[1];
  if (name === undefined) return { url: into };
  if (servers === null) throw new Error(`${into}: without MONGODB_URL give a whole address, mongodb://…`);
  return { url: servers.mongodb.url, database: name };
};

const replayIntoDatabase = async (
  { events, clock }: Source,
  to: Position,
  database: { readonly url: string },
  show: ReportProgress,
): Promise<void> => {
  const store = await openMongoDocuments({ ...database, clock });
  try {
    if ((await store.collections('')).length > 0)
      throw new UnusableDatabase('the database is not empty: name a new one');
    await buildUpTo(PROJECTIONS, to, { events, store }, (share) => show('Building the read models', share));
  } finally {
    await store.close();
  }
};

/** Each kind of work has a line of its own. */
const progress = (screen: Screen): ReportProgress => {
  const lines = new Map<string, (share: number) => void>();
  return (work, share) => {
    const line = lines.get(work) ?? progressLine(work, screen);
    lines.set(work, line);
    line(share);
  };
};

const headline = ({ position, type, stream, metadata }: StoredEvent): string =>
  `Replayed up to position ${BigInt(position)}: ${type} in ${stream}, ${metadata.occurredAt}.`;

export const defineReplay = (replay: Command, { config, write, stderr }: Cli): void => {
  replay
    .requiredOption(
      '--to <position>',
      'where the log is to end: a position, or an instant such as 2026-11-22T15:00:00Z',
    )
    .requiredOption('--into <folder|database>', 'a new folder, or a new database: mongodb:<name> or mongodb://…')
    .addHelpText(
      'after',
      `
A folder is a data folder of its own: the log up to there, its read models, and the ledger's rows of its
orders. Ask it with DATA_DIR=<folder>, such as: DATA_DIR=past alcada audit mandate <id>. A database has the
read models alone. It reads beside a running server, and changes nothing there.`,
    )
    .action(async ({ to, into, ...options }: JsonOption & { readonly to: string; readonly into: string }) => {
      const settings = await config();
      const isDatabase = /^mongodb(\+srv)?:/.test(into);
      const target = isDatabase ? databaseOf(into, settings) : null;
      if (!target) refuseUnlessEmpty(into);
      const { end, count } = await withStoresToRead(settings, async (source) => {
        const end = await endOf(to, source);
        if (!target) return { end, count: await replayIntoFolder(source, end.position, into, progress(stderr)) };
        await replayIntoDatabase(source, end.position, target, progress(stderr));
        return { end, count: null };
      });
      const { position, metadata } = end;
      const readModels = PROJECTIONS.map(({ name }) => name);
      const where = isDatabase ? masked(into) : resolve(into);
      const found = { position, occurredAt: metadata.occurredAt, into: where, events: count, readModels };
      const lines: readonly Line[] = [
        ['into', where],
        ...(count === null ? [] : ([['events', count.toString()]] as const)),
        ['read models', readModels.join(', ')],
      ];
      write(printed(options, found, headline(end), lines));
    });
};

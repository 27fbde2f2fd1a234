import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { verifyLog, type VerifyOptions } from '#audit';
import { EmbeddedDocuments, SECRETS, storedSecret } from '#documents';
import { EmbeddedEventStore, positionOf } from '#event-store';
import { canonicalJson, SystemClock } from '#kernel';
import { LEDGER } from '#checkout';
import { Heads } from '#transparency';
import type { Books } from '../support/books.js';
import { soundBooks } from '../support/sound-log.js';
import { median } from './numbers.js';
import { withEmptyFolder } from './server.js';
import { printTable } from './table.js';

const ROUNDS = 7;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const stored = async (folder: string, { events, ledger }: Books) => {
  const clock = new SystemClock();
  const log = await EmbeddedEventStore.open({ file: join(folder, 'events.db'), appendTimeout: 60_000 });
  const appends = events.map(({ stored: { stream, revision, type, data, metadata } }) => {
    const event = { id: metadata.eventId, type, data: canonicalJson(data), metadata: canonicalJson(metadata) };
    return log.append(stream, revision - 1, [event]);
  });
  await Promise.all(appends);
  const documents = await EmbeddedDocuments.open({ file: join(folder, 'documents.db'), durability: 'normal', clock });
  for (const spec of [LEDGER, SECRETS]) await documents.prepare(spec);
  await new Heads(documents).prepare();
  await Promise.all([...ledger].map(([id, row]) => documents.insert(LEDGER.name, id, { ...row })));
  await storedSecret(documents, 'tlog-pseudonyms', []);
  return { events: log, documents, readModelStore: documents, clock };
};

const memory = (): number => {
  collectGarbage();
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};

/** How fast an audit reads a sound log of so many orders, and what it keeps of a stream, on the embedded stores. */
export const audit = (orders = '5000'): Promise<void> =>
  withEmptyFolder(async (folder) => {
    const sources = await stored(folder, await soundBooks(Number(orders)));
    const audited = async (options: Partial<VerifyOptions> = {}) => {
      const report = await verifyLog(sources, { since: null, sealing: [], ...options });
      if (report.breachCount > 0) throw new Error(JSON.stringify(report.breaches[0]));
      return report;
    };
    const perSecond = async (): Promise<string> => {
      const rates: number[] = [];
      const cpu: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const before = process.cpuUsage();
        const { events, took } = await audited();
        const { user, system } = process.cpuUsage(before);
        rates.push((events / took.log) * 1_000);
        cpu.push((user + system) / events);
      }
      return `${median(rates).toFixed(0)} events/s, ${median(cpu).toFixed(1)} µs of CPU an event`;
    };
    try {
      const rules = await perSecond();
      // A page of the log is in memory each time, so what grows from the first to the last is what is kept of streams.
      const seen: number[] = [];
      const onProgress = (done: number) => {
        if (seen.length === 0 || done === 1) seen.push(memory());
      };
      const { events, streams } = await audited({ onProgress });
      // A head of no entries: the tree is built and compared with nothing else.
      const head = { size: 0, root: EMPTY_ROOT, position: positionOf(0), markedAfter: positionOf(0) };
      await new Heads(sources.documents).replace(null, head);
      const withTree = await perSecond();
      printTable(`alcada audit verify, ${events} events of ${streams} streams`, [
        ['chains and rules', rules],
        ['with the log’s tree', withTree],
        ['memory a stream', `${(((seen.at(-1) ?? 0) - (seen[0] ?? 0)) / streams).toFixed(0)} bytes`],
      ]);
    } finally {
      await sources.events.close();
      await sources.documents.close();
    }
  });

/** SHA-256 of nothing (RFC 6962, section 2.1). */
const EMPTY_ROOT = Buffer.from('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855', 'hex');

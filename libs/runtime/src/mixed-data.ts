import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, reader, UnusableFile } from '#sqlite';

/** How many events from the end of the log backwards an order is looked for. */
const LOOKED_AT = 5_000;

/** How many rows of the ledger, the newest ones, are looked up in the log. */
const ROWS = 20;

const ADVICE =
  'Put both back as they were at one moment. If what is missing is lost for good, ALLOW_MIXED_DATA=on starts all the same, ' +
  'and alcada audit verify says what does not agree (docs/operations.md, Damaged data)';

/** Compares log and ledger at the last orders paid, given up and cancelled, each of which the disk had in order. @throws UnusableFile */
export const refuseMixed = (dataDir: string): void => {
  const files = ['events.db', 'documents.db'].map((name) => join(dataDir, name));
  if (!files.every((file) => existsSync(file))) return;
  const [events, documents] = files.map(reader);
  if (!events || !documents) return;
  try {
    const mismatch = mismatchOf(events, documents);
    if (mismatch !== null)
      throw new UnusableFile(`${dataDir} holds files of different moments: ${mismatch}. ${ADVICE}`);
  } finally {
    events.close();
    documents.close();
  }
};

const mismatchOf = (events: Database, documents: Database): string | null => {
  /** The first column of the first row. Text is asked for as bytes: what is no UTF-8 would end the process in the driver. */
  const first = (db: Database, text: string, ...values: readonly unknown[]): unknown => {
    const [row] = db
      .prepare(text)
      .raw()
      .all(...values) as [unknown][];
    return Buffer.isBuffer(row?.[0]) ? row[0].toString() : row?.[0];
  };
  const isEmpty = first(events, 'SELECT 1 FROM events LIMIT 1') === undefined;
  if (isEmpty) return null; // refused by the head, if anything was ever sealed
  if (first(documents, 'SELECT 1 FROM collections LIMIT 1') === undefined)
    return 'documents.db is new, and events.db is not';
  const hasLedger = first(documents, "SELECT 1 FROM collections WHERE name = 'payment-ledger'") !== undefined;
  const paid = first(
    events,
    `SELECT CAST(stream AS BLOB) FROM events WHERE position > (SELECT max(position) FROM events) - ${LOOKED_AT} AND type = 'OrderPaid'
    ORDER BY position DESC LIMIT 1`,
  );
  if (typeof paid === 'string') {
    const id = paid.slice('order-'.length);
    const isCaptured =
      hasLedger && first(documents, `SELECT 1 FROM "c_payment-ledger" WHERE id = ? AND ${CAPTURED}`, id) !== undefined;
    if (!isCaptured) return `${paid} is paid by events.db, and documents.db has no charge of it`;
  }
  const over = first(
    events,
    `SELECT CAST(json_extract(data, '$.orderId') AS BLOB) FROM events
    WHERE position > (SELECT max(position) FROM events) - ${LOOKED_AT} AND type = 'BookingCheckoutAbandoned'
    ORDER BY position DESC LIMIT 1`,
  );
  if (typeof over === 'string') {
    const isKnown = hasLedger && first(documents, 'SELECT 1 FROM "c_payment-ledger" WHERE id = ?', over) !== undefined;
    if (!isKnown) return `order-${over} failed by events.db, and documents.db does not know how its charge ended`;
  }
  const back = first(
    events,
    `SELECT CAST(stream AS BLOB) FROM events WHERE position > (SELECT max(position) FROM events) - ${LOOKED_AT}
    AND type = 'OrderCancelled' AND data LIKE '%"refundId":"%' ORDER BY position DESC LIMIT 1`,
  );
  if (typeof back === 'string') {
    const id = back.slice('order-'.length);
    const hasRefunds = first(documents, "SELECT 1 FROM collections WHERE name = 'payment-refunds'") !== undefined;
    const isBack =
      hasRefunds &&
      first(documents, `SELECT 1 FROM "c_payment-refunds" WHERE id = ? AND ${REFUNDED}`, id) !== undefined;
    if (!isBack) return `${back} is cancelled by events.db, and documents.db has no refund of it`;
  }
  if (!hasLedger) return null;
  const charged = documents
    .prepare(`SELECT CAST(id AS BLOB) FROM "c_payment-ledger" WHERE ${CAPTURED} ORDER BY rowid DESC LIMIT ${ROWS}`)
    .raw()
    .all() as [Buffer][];
  const unknown = charged.find(
    ([id]) => first(events, 'SELECT 1 FROM events WHERE stream = ?', `order-${id.toString()}`) === undefined,
  );
  return unknown === undefined
    ? null
    : `order-${unknown[0].toString()} is charged by documents.db, and events.db does not know it`;
};

const CAPTURED = "json_extract(body, '$.status') = 'captured'";
const REFUNDED = "json_extract(body, '$.status') = 'refunded'";

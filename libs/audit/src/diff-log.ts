import { type Documents, type SealingKeys, SECRETS, storedSecret } from '#documents';
import { BEGINNING, type EventStore, type Position, type RawEvent } from '#event-store';
import { categoryOf } from '#events';
import { Heads, nodeCrypto, pastHeads, Pseudonyms } from '#transparency';
import {
  type Amount,
  appendLeaf,
  type AuditedEvent,
  type Breach,
  type Checkpoint,
  type Edge,
  EMPTY,
  isSameHash,
  leafHash,
  rootOf,
  utf8,
} from '#verifier';
import { auditedEvent, envelopeOf } from './envelope.js';
import { amountIn, type StoryLine, storyLine } from './stories/story-line.js';

const { sha256 } = nodeCrypto;

/** The only category that has no entries. */
const UNSEALED = 'traffic';

/** How often an event of one type was added, and what it amounts to: of orders what was paid, of mandates what was granted. */
export interface Added {
  readonly type: string;
  readonly count: number;
  readonly amounts: readonly Amount[];
}

/** What stands in a log between two of its checkpoints. */
export interface LogDifference {
  readonly from: number;
  readonly to: number;
  /** The first and the last event that were added; null: none. */
  readonly first: { readonly at: string; readonly position: Position } | null;
  readonly last: { readonly at: string; readonly position: Position } | null;
  readonly begun: number;
  readonly added: readonly Added[];
  /** Where the log is not what one of the checkpoints says. */
  readonly breaches: readonly Breach[];
}

export interface DiffOptions {
  /** What opens the stored secret of the pseudonyms. */
  readonly sealing: SealingKeys;
  /** Gets every event that was added, in the log's order. */
  readonly onEvent?: (line: StoryLine) => void;
  /** Called with the share of the entries that were read, from 0 to 1. */
  readonly onProgress?: (done: number) => void;
}

/** Proves that the log had both checkpoints' roots at their sizes, and reports what was added between them. */
export const diffLog = async (
  { events, documents }: { readonly events: EventStore; readonly documents: Documents },
  [one, other]: readonly [Checkpoint, Checkpoint],
  { sealing, onEvent = () => undefined, onProgress = () => undefined }: DiffOptions,
): Promise<LogDifference> => {
  const [before, after] = one.size <= other.size ? [one, other] : [other, one];
  const { pseudonyms, markedAfter } = await namesOf(one.origin, documents, sealing);
  const sum = new Sum();
  const breaches: Breach[] = [];
  let edge: Edge = EMPTY;
  let isOver = false;
  const check = ({ size, root }: Checkpoint): void => {
    if (size !== edge.size || isSameHash(rootOf(sha256, edge), root)) return;
    breaches.push(about(`its first ${size} entries are not those of the checkpoint`));
  };
  check(before);
  for await (const page of after.size > 0 ? events.readPages(null) : []) {
    for (const raw of page) {
      isOver ||= isEndOf(one.origin, raw);
      if (isOver || edge.size === after.size || categoryOf(raw.stream) === UNSEALED) continue;
      const envelope = envelopeOf(raw);
      const index = edge.size;
      const hash = envelope?.metadata.hash ?? '';
      const entry = pseudonyms.entryOf({ ...raw, hash }, markedAfter);
      edge = appendLeaf(sha256, edge, leafHash(sha256, utf8(entry)));
      check(before);
      if (index < before.size) continue;
      const event = envelope && auditedEvent(raw, envelope.metadata);
      if (!event) breaches.push({ ...about('it is no event'), stream: raw.stream, revision: raw.revision });
      else {
        sum.add(event, raw.position);
        onEvent(storyLine(event));
      }
    }
    onProgress(edge.size / after.size);
    if (isOver || edge.size === after.size) break;
  }
  if (after.size !== before.size) check(after);
  else if (!isSameHash(before.root, after.root))
    breaches.push(about('the checkpoints differ at one size: the log was forked'));
  if (edge.size < after.size)
    breaches.push(about(`it ends after ${edge.size} entries of ${after.size}: its tail was cut`));
  return { from: before.size, to: after.size, ...sum.result(), breaches };
};

/** What names the entries of the log with an origin. @throws SealBroken */
const namesOf = async (origin: string, documents: Documents, sealing: SealingKeys) => {
  const past = (await pastHeads(documents, sealing)).find((one) => one.origin === origin);
  if (past) return { pseudonyms: past.pseudonyms, markedAfter: past.head?.markedAfter ?? BEGINNING };
  const heads = new Heads(documents);
  await Promise.all([documents.prepare(SECRETS), heads.prepare()]);
  const secret = await storedSecret(documents, 'tlog-pseudonyms', sealing);
  return { pseudonyms: new Pseudonyms(secret), markedAfter: (await heads.read())?.markedAfter ?? BEGINNING };
};

/** Whether an event says that the log with this origin has ended: it is the first entry that is of the next one alone. */
const isEndOf = (origin: string, raw: RawEvent): boolean => {
  if (raw.type !== 'LogSucceeded') return false;
  const metadata = envelopeOf(raw)?.metadata;
  return metadata !== undefined && auditedEvent(raw, metadata)?.data['origin'] === origin;
};

const about = (message: string): Breach => ({ rule: 'checkpoint', stream: 'log', revision: null, message });

class Sum {
  private readonly types = new Map<string, { count: number; readonly amounts: Map<string, number> }>();
  private first: LogDifference['first'] = null;
  private last: LogDifference['last'] = null;
  private begun = 0;

  add({ type, revision, data, metadata }: AuditedEvent, position: Position): void {
    this.last = { at: metadata.occurredAt, position };
    this.first ??= this.last;
    if (revision === 0) this.begun += 1;
    const known = this.types.get(type) ?? { count: 0, amounts: new Map<string, number>() };
    this.types.set(type, known);
    known.count += 1;
    const payment = data['payment'];
    const member = type === 'OrderPaid' ? amountIn({ ...(payment as object) }, 'amount') : null;
    const amount = member ?? amountIn(data, type === 'MandateCreated' ? 'limit' : 'amount');
    if (amount) known.amounts.set(amount.currency, (known.amounts.get(amount.currency) ?? 0) + amount.amount);
  }

  result() {
    const { first, last, begun } = this;
    const added = [...this.types].map(([type, { count, amounts }]): Added => {
      const listed = [...amounts].map(([currency, amount]) => ({ amount, currency }));
      return { type, count, amounts: listed };
    });
    return { first, last, begun, added: added.sort((one, other) => (one.type < other.type ? -1 : 1)) };
  }
}

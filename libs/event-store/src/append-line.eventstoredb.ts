import { randomUUID } from 'node:crypto';
import grpc from '@eventstore/db-client/generated/streams_grpc_pb.js';
import streams, { type BatchAppendReq, type BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import { SystemClock, within } from '#kernel';
import type { Connection } from './connection.eventstoredb.js';
import { AppendOutcomeUnknown, EventsTooLarge, RevisionConflict, StoreUnavailable } from './event-store.errors.js';
import { type Appended, type EventToAppend, NO_STREAM } from './event-store.port.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import { positionOf } from './stored-event.js';

const CLOCK = new SystemClock();

/** The call that carries all appends, in both directions. */
type Call = ReturnType<InstanceType<typeof grpc.StreamsClient>['batchAppend']>;

interface Waiting {
  readonly call: Call;
  readonly settle: (outcome: () => Appended | 'unanswered') => void;
}

/** How gRPC words the failure of a call that got no connection or no login: the server has taken nothing. */
const NEVER_TAKEN =
  /No connection established|Name resolution failed|Channel (closed before call started|has been shut)|UNAUTHENTICATED/;

/**
 * Appends, all on one call of the server's BatchAppend. All clients of a process share the table of appends under way,
 * and an error of one call ends those of all others: so the table is our own, the call and its options the client's.
 */
export class AppendLine {
  /** What the next append goes on; null: another one is opened for it. */
  private call: Promise<Call> | null = null;
  private newest: Call | null = null;
  private readonly waiting = new Map<string, Waiting>();
  private readonly underWay = new Set<Promise<unknown>>();

  /** @param patience how long (ms) an answer may take to come */
  constructor(
    private readonly connection: Connection,
    private readonly patience: number,
  ) {}

  /** Sends events; 'unanswered': none in time. @throws RevisionConflict, EventsTooLarge, StoreUnavailable, AppendOutcomeUnknown */
  async send(
    nameOnServer: string,
    expectedRevision: number,
    events: readonly EventToAppend[],
  ): Promise<Appended | 'unanswered'> {
    const id = randomUUID();
    const sent = this.exchange(id, appendRequest(id, nameOnServer, expectedRevision, events));
    this.underWay.add(sent);
    try {
      return await sent;
    } finally {
      this.underWay.delete(sent);
    }
  }

  /** Resolves when what is under way now has ended. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.underWay);
  }

  private async exchange(id: string, request: BatchAppendReq): Promise<Appended | 'unanswered'> {
    const call = await this.opened();
    return new Promise((resolve, reject) => {
      const settle: Waiting['settle'] = (outcome) => {
        cancel();
        this.waiting.delete(id);
        try {
          resolve(outcome());
        } catch (error) {
          reject(error instanceof Error ? error : new AppendOutcomeUnknown(String(error)));
        }
      };
      const cancel = CLOCK.after(this.patience, () => settle(() => 'unanswered'));
      this.waiting.set(id, { call, settle });
      call.write(request);
    });
  }

  /** The call in use, opened if there is none. */
  private async opened(): Promise<Call> {
    const call = (this.call ??= this.open());
    try {
      return await within(CLOCK, this.patience, call, () => {
        throw new StoreUnavailable(`no connection to the event store in ${this.patience} ms`);
      });
    } catch (error) {
      if (this.call === call) this.call = null; // another one may stand there by now
      if (error instanceof StoreUnavailable) throw error;
      throw new StoreUnavailable('no connection to the event store', { cause: error });
    }
  }

  private async open(): Promise<Call> {
    const { line } = this.connection;
    const options = line.client['callArguments']({ requiresLeader: true }, { deadline: Infinity });
    const call = await line.client['GRPCStreamCreator'](grpc.StreamsClient, 'append', (server) =>
      server.batchAppend(...options),
    )();
    this.newest = call;
    call.on('data', (response: BatchAppendResp) => {
      const id = response.getCorrelationId()?.getString() ?? '';
      this.waiting.get(id)?.settle(() => appendedOf(response)); // else it comes too late
    });
    call.on('error', (error) => {
      if (NEVER_TAKEN.test(error.message)) this.connection.renew(line);
      this.lost(call, error);
    });
    call.on('end', () => this.lost(call)); // quietly
    return call;
  }

  /** What was under way on a call that ended: nobody will answer it. */
  private lost(call: Call, cause?: Error): void {
    if (this.newest === call) this.call = null;
    const reason = cause?.message ?? 'the server ended the call';
    for (const append of [...this.waiting.values()]) {
      if (append.call !== call) continue;
      append.settle(() => {
        if (NEVER_TAKEN.test(reason)) throw new StoreUnavailable(`event store: ${reason}`, { cause });
        throw new AppendOutcomeUnknown(`the connection to the event store broke: ${reason}`, { cause });
      });
    }
  }
}

/** No server takes more in one append (bytes), and a longer message would end the appends of everybody else. */
const LARGEST = 15 * 1024 * 1024;
/** What the server answers where a position is not known: -1, unsigned. */
const NO_POSITION = 2n ** 63n;

/** One append as the server takes it, without a deadline, which the server's clock would judge. @throws EventsTooLarge */
export const appendRequest = (
  id: string,
  nameOnServer: string,
  expectedRevision: number,
  events: readonly EventToAppend[],
): BatchAppendReq => {
  const options = new streams.BatchAppendReq.Options();
  options.setStreamIdentifier(new shared.StreamIdentifier().setStreamName(Buffer.from(nameOnServer)));
  if (expectedRevision === NO_STREAM) options.setNoStream(new shared.Empty());
  else options.setStreamPosition(String(expectedRevision));

  const request = new streams.BatchAppendReq();
  request.setCorrelationId(new shared.UUID().setString(id)).setOptions(options).setIsFinal(true);
  let size = 0;
  for (const { id: eventId, type, data, metadata } of events) {
    const message = new streams.BatchAppendReq.ProposedMessage();
    const [bytes, metadataBytes] = [Buffer.from(data), Buffer.from(metadata)];
    size += bytes.length + metadataBytes.length;
    if (size > LARGEST) throw new EventsTooLarge(`more than ${LARGEST} bytes in one append to ${nameOnServer}`);
    message.setId(new shared.UUID().setString(eventId)).setData(bytes).setCustomMetadata(metadataBytes);
    message.getMetadataMap().set('type', type).set('content-type', 'application/json');
    request.addProposedMessages(message);
  }
  return request;
};

/** What the server says of an append. @throws RevisionConflict, EventsTooLarge, StoreUnavailable, AppendOutcomeUnknown */
export const appendedOf = (response: BatchAppendResp): Appended | 'unanswered' => {
  const success = response.getSuccess();
  if (success) {
    const commit = BigInt(success.getPosition()?.getCommitPosition() ?? NO_POSITION);
    return {
      revision: Number(success.getCurrentRevision()),
      position: commit < NO_POSITION ? positionOf(commit) : null,
    };
  }
  const error = response.getError();
  const [kind, message] = [error?.getDetails()?.getTypeName() ?? '', error?.getMessage() ?? ''];
  const name = Buffer.from(response.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString();
  switch (kind) {
    case 'event_store.client.WrongExpectedVersion':
      throw new RevisionConflict(`${name} is not at the revision expected`);
    case 'event_store.client.Timeout':
      return 'unanswered';
    case 'event_store.client.MaximumAppendSizeExceeded':
      throw new EventsTooLarge(`the events for ${name} are more than the event store takes in one append`);
    case 'event_store.client.AccessDenied':
      throw new StoreUnavailable(`the event store denies writing ${name}: look at the credentials of its URL`);
    case 'event_store.client.StreamDeleted':
      throw new StoreUnavailable(`the stream ${name} was deleted from the event store`);
    case 'event_store.client.BadRequest':
      throw new StoreUnavailable(`the event store does not understand an append to ${name}: ${message}`);
    default:
      // It says so before it looks at the events.
      if (/^Server Is (Not Ready|Busy)$/.test(message)) throw new StoreUnavailable(`event store: ${message}`);
      throw new AppendOutcomeUnknown(`the event store answered ${kind} ${message} to an append to ${name}`);
  }
};

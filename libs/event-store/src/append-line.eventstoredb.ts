import { randomUUID } from 'node:crypto';
import grpc from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import { SystemClock, within } from '#kernel';
import { appendedOf, appendRequest } from './append-message.eventstoredb.js';
import type { Connection } from './connection.eventstoredb.js';
import { AppendOutcomeUnknown, StoreUnavailable } from './event-store.errors.js';
import type { Appended, EventToAppend } from './event-store.port.js';
import type { Leadership } from './leadership.eventstoredb.js';
import { nodeOf } from './read-message.eventstoredb.js';

const CLOCK = new SystemClock();

/** The call that carries all appends, in both directions. */
type Call = ReturnType<InstanceType<typeof grpc.StreamsClient>['batchAppend']>;

interface Waiting {
  readonly call: Call;
  readonly sentAt: number;
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

  /**
   * @param patience how long (ms) an answer may take to come
   * @param leadership of a cluster; null: there is one node
   */
  constructor(
    private readonly connection: Connection,
    private readonly patience: number,
    private readonly leadership: Leadership | null = null,
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
      this.waiting.set(id, { call, sentAt: performance.now(), settle });
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
      Object.assign(server.batchAppend(...options), { node: nodeOf(server) }),
    )();
    this.newest = call;
    call.on('data', (response: BatchAppendResp) => {
      const id = response.getCorrelationId()?.getString() ?? '';
      const waiting = this.waiting.get(id); // none: it comes too late
      waiting?.settle(() => {
        const appended = appendedOf(response);
        this.leadership?.took(call.node, waiting.sentAt);
        return appended;
      });
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

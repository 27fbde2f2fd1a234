import { randomUUID } from 'node:crypto';
import grpc from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import { appendedOf, appendRequest } from './append-message.eventstoredb.js';
import type { Connection } from './connection.eventstoredb.js';
import { AppendOutcomeUnknown, StoreUnavailable } from './event-store.errors.js';
import type { Appended, EventToAppend } from './event-store.port.js';

/** The call that carries all appends, in both directions. */
type Line = ReturnType<InstanceType<typeof grpc.StreamsClient>['batchAppend']>;

/** An append on its way. */
interface Waiting {
  readonly line: Line;
  readonly settle: (outcome: () => Appended | 'unanswered') => void;
}

/** So gRPC puts it where a call never got a connection: nothing was sent. */
const NEVER_SENT = /No connection established|Name resolution failed|Channel closed before call started/;

/**
 * Appends, all on one call of the server's BatchAppend. The client has this too, but all clients of a process share its
 * table of appends under way: an error of one call forgets the appends of all others, and the next answer to one of
 * them ends the process. So the table is our own; the call, its options and its credentials are the client's.
 */
export class AppendLine {
  private line: Promise<Line> | null = null;
  private readonly waiting = new Map<string, Waiting>();

  /** @param patience how long (ms) an answer may take to come */
  constructor(
    private readonly connection: Connection,
    private readonly patience: number,
  ) {}

  /**
   * Sends events; 'unanswered' if nothing came of it in time.
   *
   * @throws RevisionConflict, EventsTooLarge, StoreUnavailable, AppendOutcomeUnknown
   */
  async send(
    nameOnServer: string,
    expectedRevision: number,
    events: readonly EventToAppend[],
  ): Promise<Appended | 'unanswered'> {
    const id = randomUUID();
    const request = appendRequest(id, nameOnServer, expectedRevision, events);
    const line = await this.opened();
    return new Promise((resolve, reject) => {
      const settle: Waiting['settle'] = (outcome) => {
        clearTimeout(timer);
        this.waiting.delete(id);
        try {
          resolve(outcome());
        } catch (error) {
          // `outcome` throws errors of the port only
          reject(error instanceof Error ? error : new AppendOutcomeUnknown(String(error)));
        }
      };
      const timer = setTimeout(() => settle(() => 'unanswered'), this.patience);
      this.waiting.set(id, { line, settle });
      line.write(request);
    });
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    while (this.waiting.size > 0) await new Promise((resolve) => setTimeout(resolve, 10));
  }

  /** The line, opened if there is none. */
  private async opened(): Promise<Line> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const error = new StoreUnavailable(`no connection to the event store in ${this.patience} ms`);
      timer = setTimeout(() => reject(error), this.patience);
    });
    try {
      this.line ??= this.open();
      return await Promise.race([this.line, late]);
    } catch (error) {
      this.line = null;
      if (error instanceof StoreUnavailable) throw error;
      throw new StoreUnavailable('no connection to the event store', { cause: error });
    } finally {
      clearTimeout(timer);
    }
  }

  private async open(): Promise<Line> {
    const { client } = this.connection;
    const options = client['callArguments']({ requiresLeader: true }, { deadline: Infinity });
    const line = await client['GRPCStreamCreator'](grpc.StreamsClient, 'append', (server) =>
      server.batchAppend(...options),
    )();
    line.on('data', (response: BatchAppendResp) => {
      const id = response.getCorrelationId()?.getString() ?? '';
      this.waiting.get(id)?.settle(() => appendedOf(response)); // else it comes too late
    });
    line.on('error', (error) => {
      if (NEVER_SENT.test(error.message)) this.connection.renew(client);
      this.lost(line, error);
    });
    line.on('end', () => this.lost(line)); // quietly
    line.on('close', () => this.lost(line));
    return line;
  }

  /** What was under way on a line that ended: nobody will answer it. */
  private lost(line: Line, cause?: Error): void {
    this.line = null;
    const reason = cause?.message ?? 'the server ended the call';
    for (const append of [...this.waiting.values()]) {
      if (append.line !== line) continue;
      append.settle(() => {
        if (NEVER_SENT.test(reason)) throw new StoreUnavailable(`event store: ${reason}`, { cause });
        throw new AppendOutcomeUnknown(`the connection to the event store broke: ${reason}`, { cause });
      });
    }
  }
}

import { END, NotLeaderError, type ReadPosition, UnavailableError } from '@eventstore/db-client';
import { SystemClock, within } from '#kernel';
import type { ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { Connection, Line } from './connection.eventstoredb.js';
import { StoreUnavailable } from './event-store.errors.js';
import type { Leadership } from './leadership.eventstoredb.js';
import { checkpointAt, placeOf, type Recorded } from './names.eventstoredb.js';
import { commandError, openRead, type Read, type ReadCall, recordedIn } from './read-message.eventstoredb.js';
import type { Checkpoint } from './stored-event.js';

const CLOCK = new SystemClock();
/** How many events at a time are looked through backwards, where the last one is not of interest. */
const FURTHER_LOOK = 1_000;
const LAST: Read = { fromPosition: END, maxCount: 1, isBackwards: true };

/** Reads from the leader, so that what was acknowledged is seen; each goes on or fails in bounded time, twice `patience`. */
export class Reads {
  /**
   * @param patience how long (ms) the next event may take to come
   * @param leadership of a cluster; null: there is one node
   */
  constructor(
    private readonly connection: Connection,
    private readonly patience: number,
    private readonly leadership: Leadership | null = null,
  ) {}

  /** @throws StoreUnavailable */
  stream(nameOnServer: string, fromRevision: number): AsyncGenerator<Recorded> {
    return this.events({ stream: nameOnServer, fromRevision });
  }

  /** What matches after a checkpoint up to the end of the log. @throws StoreUnavailable */
  async *all(after: Checkpoint | null, regex: string): AsyncGenerator<Recorded> {
    const fromPosition = placeOf(after);
    const last = typeof fromPosition === 'object' ? fromPosition.commit : -1n;
    for await (const event of this.filtered({ regex, fromPosition })) {
      if (event.position && event.position.commit > last) yield event; // reading is inclusive
    }
  }

  /** What matches from the end of the log backwards. @throws StoreUnavailable */
  async *backwards(regex: string): AsyncGenerator<Recorded> {
    let fromPosition: ReadPosition = END;
    for (let maxCount = 1; ; maxCount = FURTHER_LOOK) {
      const page: Recorded[] = [];
      for await (const event of this.filtered({ regex, fromPosition, isBackwards: true, maxCount })) page.push(event);
      yield* page;
      const first = page.at(-1)?.position;
      if (page.length < maxCount || !first) return;
      fromPosition = first;
    }
  }

  /** The last event of the whole log, whosever it is; null where it is empty. @throws StoreUnavailable */
  async last(): Promise<Recorded | null> {
    const [last] = await this.page(LAST);
    return last ?? null;
  }

  /** The end of the whole log, whosever event is there, as the node at a line knows it; null where it is empty. @throws StoreUnavailable */
  async endOn(line: Line): Promise<Checkpoint | null> {
    const call = await this.opened(line, LAST);
    let end: Checkpoint | null = null;
    for await (const answer of watched(call, this.patience, () => call.destroy(this.silent(line)))) {
      const place = recordedIn(answer)?.position;
      if (place) end = checkpointAt(place);
    }
    return end;
  }

  /** So many events of the whole log at most, whosever they are, from the one at a checkpoint on. @throws StoreUnavailable */
  from(checkpoint: Checkpoint | null, maxCount: number): Promise<readonly Recorded[]> {
    return this.page({ fromPosition: placeOf(checkpoint), maxCount });
  }

  /** What one call finds, read to its end. */
  private async page(read: Read): Promise<readonly Recorded[]> {
    const found: Recorded[] = [];
    for await (const event of this.events(read)) found.push(event);
    return found;
  }

  /** Silent for as long as the server passes over what does not match, and answers others meanwhile. */
  private filtered(read: Read): AsyncGenerator<Recorded> {
    return this.events(read, () => this.endOn(this.connection.line));
  }

  /** @param probe fails where a silence is that of the server; without one each is */
  private async *events(
    read: Read,
    probe: () => Promise<unknown> = () => Promise.reject(new StoreUnavailable('a silence')),
  ): AsyncGenerator<Recorded> {
    for (let isFirstTry = true; ; isFirstTry = false) {
      const { line } = this.connection;
      let hasBegun = false;
      try {
        const call = await this.opened(line, read);
        const isSilent = () => {
          probe().catch(() => call.destroy(this.silent(line)));
        };
        for await (const answer of watched(call, this.patience, isSilent)) {
          const event = recordedIn(answer);
          hasBegun ||= event !== null;
          if (event) yield event;
        }
        if (line.isOver()) throw new StoreUnavailable('the connection to the event store was given up');
        await this.confirm(line, call);
        return;
      } catch (failure) {
        const error = commandError(failure);
        if (error instanceof UnavailableError) this.connection.renew(line);
        // The client knows the leader now; or there is another line, for this one was silent, to this read or to another.
        const hasNewWay = error instanceof NotLeaderError || line.isOver();
        if (hasNewWay && isFirstTry && !hasBegun) continue;
        throw error instanceof StoreUnavailable ? error : unavailable(error);
      }
    }
  }

  /** @throws StoreUnavailable where the node that answered a read may lead no more; there is another line where it surely does not */
  private async confirm(line: Line, { node }: ReadCall): Promise<void> {
    const leads = (await this.leadership?.leads(line, node)) ?? 'yes';
    if (leads === 'yes') return;
    if (leads === 'no') this.connection.renew(line);
    const why = leads === 'no' ? `${node} leads no more` : `no other node confirms that ${node} leads`;
    throw new StoreUnavailable(`the event store cannot be read: ${why}`);
  }

  /** A read that was sent on a line. @throws StoreUnavailable */
  opened(line: Line, read: Read): Promise<ReadCall> {
    const opening = openRead(line.client, read);
    return within(CLOCK, this.patience, opening, () => {
      opening.then(cancel, () => undefined); // it comes too late
      throw this.silent(line);
    });
  }

  private silent(line: Line): StoreUnavailable {
    this.connection.renew(line);
    return new StoreUnavailable(`the event store did not answer in ${this.patience} ms`);
  }
}

/** What gRPC adds about how it looked up the server's name, which says nothing to an operator. */
const OF_GRPC = /\.? Resolution note:[^]*$/;

export const unavailable = (cause: unknown): StoreUnavailable => {
  const reason = (cause instanceof Error ? cause.message : String(cause)).replace(OF_GRPC, '');
  return new StoreUnavailable(`the event store cannot be read: ${reason}`, { cause });
};

/** What a call is answered. It says when it is silent for `limit` ms, and a call that is given up is cancelled. */
export async function* watched(call: ReadCall, limit: number, onSilence: () => void): AsyncGenerator<ReadResp> {
  call.on('error', () => undefined); // one that comes after the end must not end the process
  const watch = new Watch(limit, onSilence);
  let isOver = false;
  try {
    watch.asked();
    for await (const answer of call as AsyncIterable<ReadResp>) {
      watch.answered();
      yield answer;
      watch.asked();
    }
    isOver = true;
  } finally {
    watch.stop();
    if (!isOver) cancel(call);
  }
}

/** In a turn of its own: a call that is cancelled while it is being opened fails for others (grpc-node issue 1652). */
const cancel = (call: ReadCall): void => void setImmediate(() => call.cancel());

/** Notices that what was asked for does not come. Costs nothing per answer. */
export class Watch {
  private askedAt: number | null = null;
  private readonly timer: NodeJS.Timeout;

  /** Calls `onSilence` whenever an answer has been missing for `limit` ms, and again after as long. */
  constructor(limit: number, onSilence: () => void) {
    const isSilent = () => this.askedAt !== null && performance.now() - this.askedAt >= limit;
    this.timer = setInterval(() => {
      // What came while this process had no turn lies unread until this turn is over: no silence of the server.
      if (isSilent())
        setImmediate(() => {
          if (!isSilent()) return;
          this.askedAt = performance.now();
          onSilence();
        });
    }, limit / 4);
  }

  asked(): void {
    this.askedAt = performance.now();
  }

  answered(): void {
    this.askedAt = null;
  }

  stop(): void {
    clearInterval(this.timer);
  }
}

import {
  type AllStreamResolvedEvent,
  type EventStoreDBClient,
  type Position,
  type ReadPosition,
  START,
} from '@eventstore/db-client';
import { convertToCommandError } from '@eventstore/db-client/dist/utils/CommandError.js';
import { convertGrpcEvent } from '@eventstore/db-client/dist/utils/convertGrpcEvent.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import grpc, { type StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { Recorded } from './names.eventstoredb.js';

const { Options } = streams.ReadReq;

/** How many events the server looks at before it sees whether somebody still waits, or tells a subscription where it is. */
const [LOOKED_AT_ONCE, TOLD_AFTER] = [4_096, 32];

/** What is read: one stream, or the whole log. */
export type Read = StreamRead | LogRead;

interface StreamRead {
  readonly stream: string;
  readonly fromRevision: number;
}

interface LogRead {
  readonly fromPosition: ReadPosition;
  /** The server passes over streams whose names do not match. */
  readonly regex?: string;
  readonly isBackwards?: boolean;
  readonly maxCount?: number;
  /** Goes on with what is appended later. */
  readonly isSubscription?: boolean;
}

/** A read under way, and the node that answers it. It fails with the errors of gRPC, which `commandError` names. */
export type ReadCall = ReturnType<StreamsClient['read']> & { readonly node: string };

/** The node that a client of gRPC asks, as `host:port`. */
export const nodeOf = (server: Pick<StreamsClient, 'getChannel'>): string =>
  server.getChannel().getTarget().replace(/^dns:/, '');

/** Reads from the leader. The client's own reads cost three times as much, and filter for subscriptions alone. */
export const openRead = (client: EventStoreDBClient, read: Read): Promise<ReadCall> => {
  const options = client['callArguments']({ requiresLeader: true }, { deadline: Infinity });
  return client['GRPCStreamCreator'](grpc.StreamsClient, 'read', (server) =>
    Object.assign(server.read(readRequest(read), ...options), { node: nodeOf(server) }),
  )();
};

/** The event in an answer; null: it says something else, such as that there is no such stream. */
export const recordedIn = (answer: ReadResp): Recorded | null => {
  const event = answer.getEvent();
  return (event && convertGrpcEvent<AllStreamResolvedEvent>(event).event) ?? null;
};

/** Up to where the server has passed over what does not match; null: the answer does not say. */
export const placeIn = (answer: ReadResp): Position | null => {
  const checkpoint = answer.getCheckpoint();
  if (!checkpoint) return null;
  return { commit: BigInt(checkpoint.getCommitPosition()), prepare: BigInt(checkpoint.getPreparePosition()) };
};

/** What the server answers once it has passed over everything up to there. */
export const passedOver = ({ commit, prepare }: Position): ReadResp =>
  new streams.ReadResp().setCheckpoint(
    new streams.ReadResp.Checkpoint().setCommitPosition(`${commit}`).setPreparePosition(`${prepare}`),
  );

/** A failure by the client's own name for it. */
export const commandError = (error: unknown): unknown =>
  error instanceof Error ? convertToCommandError(error) : error;

const readRequest = (read: Read) => {
  const options = new Options().setUuidOption(new Options.UUIDOption().setString(new shared.Empty()));
  const request = new streams.ReadReq().setOptions(options);
  if ('stream' in read) {
    const { stream, fromRevision } = read;
    const name = new shared.StreamIdentifier().setStreamName(Buffer.from(stream));
    options
      .setStream(new Options.StreamOptions().setStreamIdentifier(name).setRevision(`${fromRevision}`))
      .setCount(`${Number.MAX_SAFE_INTEGER}`)
      .setNoFilter(new shared.Empty());
    return request;
  }
  const { fromPosition, regex, isBackwards = false, maxCount = Number.MAX_SAFE_INTEGER, isSubscription } = read;
  const { BACKWARDS, FORWARDS } = Options.ReadDirection;
  options.setAll(placed(fromPosition)).setReadDirection(isBackwards ? BACKWARDS : FORWARDS);
  if (isSubscription) options.setSubscription(new Options.SubscriptionOptions());
  else options.setCount(`${maxCount}`);
  if (regex === undefined) options.setNoFilter(new shared.Empty());
  else options.setFilter(matching(regex, isSubscription ? TOLD_AFTER : LOOKED_AT_ONCE));
  return request;
};

const placed = (fromPosition: ReadPosition) => {
  const all = new Options.AllOptions();
  if (typeof fromPosition !== 'object')
    return fromPosition === START ? all.setStart(new shared.Empty()) : all.setEnd(new shared.Empty());
  const { commit, prepare } = fromPosition;
  return all.setPosition(new Options.Position().setCommitPosition(`${commit}`).setPreparePosition(`${prepare}`));
};

const matching = (regex: string, lookedAtOnce: number) =>
  new Options.FilterOptions()
    .setStreamIdentifier(new Options.FilterOptions.Expression().setRegex(regex))
    .setMax(lookedAtOnce)
    .setCheckpointintervalmultiplier(1);

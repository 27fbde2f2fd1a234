import { type AllStreamResolvedEvent, type EventStoreDBClient, type ReadPosition, START } from '@eventstore/db-client';
import { ReadStream } from '@eventstore/db-client/dist/streams/utils/ReadStream.js';
import { convertGrpcEvent } from '@eventstore/db-client/dist/utils/convertGrpcEvent.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import grpc from '@eventstore/db-client/generated/streams_grpc_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';

const { Options } = streams.ReadReq;

/** How many events the server looks at before it sees whether somebody still waits. */
const LOOKED_AT_ONCE = 4_096;

/** Which part of the whole log is read: of streams whose name on the server matches. */
export interface FilteredRead {
  readonly regex: string;
  readonly fromPosition: ReadPosition;
  readonly isBackwards?: boolean;
  readonly maxCount?: number;
}

/** Reads of the whole log what a filter lets through: the server can, and the client asks it for subscriptions alone. */
export const readFiltered = (client: EventStoreDBClient, read: FilteredRead): ReadStream<AllStreamResolvedEvent> => {
  const options = client['callArguments']({ requiresLeader: true }, { deadline: Infinity });
  const open = client['GRPCStreamCreator'](grpc.StreamsClient, 'readAll', (server) =>
    server.read(readRequest(read), ...options),
  );
  return new ReadStream<AllStreamResolvedEvent>(open, convertGrpcEvent, {});
};

const readRequest = ({
  regex,
  fromPosition,
  isBackwards = false,
  maxCount = Number.MAX_SAFE_INTEGER,
}: FilteredRead) => {
  const all = new Options.AllOptions();
  if (typeof fromPosition === 'object') {
    const { commit, prepare } = fromPosition;
    all.setPosition(new Options.Position().setCommitPosition(`${commit}`).setPreparePosition(`${prepare}`));
  } else if (fromPosition === START) all.setStart(new shared.Empty());
  else all.setEnd(new shared.Empty());
  const filter = new Options.FilterOptions()
    .setStreamIdentifier(new Options.FilterOptions.Expression().setRegex(regex))
    .setMax(LOOKED_AT_ONCE)
    .setCheckpointintervalmultiplier(1);
  const options = new Options()
    .setAll(all)
    .setReadDirection(isBackwards ? Options.ReadDirection.BACKWARDS : Options.ReadDirection.FORWARDS)
    .setCount(`${maxCount}`)
    .setFilter(filter)
    .setUuidOption(new Options.UUIDOption().setString(new shared.Empty()));
  return new streams.ReadReq().setOptions(options);
};

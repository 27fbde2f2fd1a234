import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { AppendOutcomeUnknown, EventsTooLarge, RevisionConflict, StoreUnavailable } from './event-store.errors.js';
import { type Appended, type EventToAppend, NO_STREAM } from './event-store.port.js';
import { positionOf } from './stored-event.js';

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

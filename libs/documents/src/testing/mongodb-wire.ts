import type { Socket } from 'node:net';
import { BSON, type Document } from 'mongodb';

/** Kinds of messages of the wire protocol, of which the first two are for greetings alone. */
const [OP_REPLY, OP_QUERY, OP_MSG] = [1, 2004, 2013];
/** Where a message has its own number, the one it answers, its kind, and where an OP_MSG has its flags and its command. */
const [NUMBER_AT, ANSWERED_AT, KIND_AT, FLAGS_AT, COMMAND_AT] = [4, 8, 12, 16, 21];
/** Flags of an OP_MSG: that more answers come by themselves, and that whoever asks takes them. */
const [MORE_TO_COME, TAKES_MORE] = [1 << 1, 1 << 16];

export const numberOf = (message: Buffer): number => message.readInt32LE(NUMBER_AT);
export const answeredBy = (message: Buffer): number => message.readInt32LE(ANSWERED_AT);
export const isCommand = (message: Buffer): boolean => message.readInt32LE(KIND_AT) === OP_MSG;
export const takesMore = (message: Buffer): boolean =>
  isCommand(message) && (message.readInt32LE(FLAGS_AT) & TAKES_MORE) !== 0;

/** Tells each message that comes by a socket, once it is whole. */
export const eachMessage = (socket: Socket, tell: (message: Buffer) => void): void => {
  let rest = Buffer.alloc(0);
  socket.on('data', (bytes: Buffer) => {
    rest = Buffer.concat([rest, bytes]);
    while (rest.length >= 4 && rest.length >= rest.readInt32LE(0)) {
      const message = rest.subarray(0, rest.readInt32LE(0));
      rest = rest.subarray(message.length);
      tell(message);
    }
  });
};

/** The command of a message, or its question of old, without the documents of a bulk. */
export const commandOf = (message: Buffer): Document => {
  const isOld = message.readInt32LE(KIND_AT) === OP_QUERY;
  // After the flags an old question has a name, which ends with a zero, and two numbers.
  const at = isOld ? message.indexOf(0, FLAGS_AT + 4) + 9 : COMMAND_AT;
  return BSON.deserialize(message.subarray(at, at + message.readInt32LE(at)));
};

/** An answer to a message, in its own kind. `hasMore`: further ones follow by themselves. */
export const answerTo = (message: Buffer, body: Document, hasMore = false): Buffer => {
  const isOld = !isCommand(message);
  const head = Buffer.alloc(isOld ? 36 : COMMAND_AT);
  head.writeInt32LE(numberOf(message), ANSWERED_AT);
  head.writeInt32LE(isOld ? OP_REPLY : OP_MSG, KIND_AT);
  if (isOld)
    head.writeInt32LE(1, 32); // one document
  else head.writeInt32LE(hasMore ? MORE_TO_COME : 0, FLAGS_AT);
  return sized(Buffer.concat([head, BSON.serialize(body)]));
};

/** An answer, as one to another message. */
export const readdressed = (answer: Buffer, message: Buffer): Buffer => {
  const copy = Buffer.from(answer);
  copy.writeInt32LE(numberOf(message), ANSWERED_AT);
  return copy;
};

/** A command without the number by which a replica set knows a write again: a server by itself refuses it. */
export const unnumbered = (message: Buffer): Buffer => {
  const element = Buffer.from('\u0012txnNumber\0');
  const at = message.indexOf(element);
  if (at === -1) return message;
  const [before, after] = [Buffer.from(message.subarray(0, at)), message.subarray(at + element.length + 8)];
  before.writeInt32LE(before.readInt32LE(COMMAND_AT) - element.length - 8, COMMAND_AT);
  return sized(Buffer.concat([before, after]));
};

/** A bulk with no more than its first documents. */
export const shortened = (message: Buffer, documents: number): Buffer => {
  const sequenceAt = COMMAND_AT + message.readInt32LE(COMMAND_AT);
  if (sequenceAt >= message.length) return message;
  const first = message.indexOf(0, sequenceAt + 5) + 1;
  let end = first;
  for (let count = 0; count < documents && end < message.length; count += 1) end += message.readInt32LE(end);
  const short = Buffer.from(message.subarray(0, end));
  short.writeInt32LE(end - sequenceAt - 1, sequenceAt + 1);
  return sized(short);
};

const sized = (message: Buffer): Buffer => {
  message.writeInt32LE(message.length, 0);
  return message;
};

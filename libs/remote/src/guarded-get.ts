import type { IncomingMessage } from 'node:http';
import { type Guard, guardedRequest } from './guarded-request.js';
import { DocumentUnread } from './remote-documents.port.js';

/** The longest document, in bytes: what the draft on client metadata documents recommends. */
export const LARGEST = 5 * 1_024;

export interface Answer {
  readonly body: Readonly<Record<string, unknown>>;
  readonly mediaType: string;
  readonly headers: IncomingMessage['headers'];
}

/** A JSON object of `largest` bytes at most, from public addresses, resolved once. @throws DocumentUnread, or anything once `signal` aborts */
export const guardedGet = (url: URL, guard: Guard, signal: AbortSignal, largest = LARGEST): Promise<Answer> =>
  guardedRequest(url, { headers: {}, body: null }, guard, signal, async (response) => ({
    ...(await readAnswer(response, largest)),
    headers: response.headers,
  }));

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json$/;

const readAnswer = async (response: IncomingMessage, largest: number): Promise<Omit<Answer, 'headers'>> => {
  const { statusCode, headers } = response;
  if (statusCode === 404 || statusCode === 410) throw new DocumentUnread('gone');
  if (statusCode !== 200) throw new DocumentUnread('status_not_200');
  const mediaType = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const encoding = headers['content-encoding'] ?? 'identity';
  if (!JSON_TYPE.test(mediaType) || encoding !== 'identity') throw new DocumentUnread('media_type');
  return { body: await objectOf(response, largest), mediaType };
};

/** The JSON object in the body of an answer, of which no more is read than one may have. @throws DocumentUnread */
export const objectOf = async (
  response: IncomingMessage,
  largest = LARGEST,
): Promise<Readonly<Record<string, unknown>>> => {
  if (Number(response.headers['content-length'] ?? 0) > largest) throw new DocumentUnread('too_large');
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response) {
    const bytes = chunk as Buffer; // no encoding is set
    length += bytes.length;
    if (length > largest) throw new DocumentUnread('too_large');
    chunks.push(bytes);
  }
  const body = objectIn(Buffer.concat(chunks));
  if (body === null) throw new DocumentUnread('not_an_object');
  return body;
};

const objectIn = (bytes: Buffer): Readonly<Record<string, unknown>> | null => {
  try {
    const value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown;
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Readonly<Record<string, unknown>>) : null;
  } catch {
    return null;
  }
};

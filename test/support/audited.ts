import { createHash } from 'node:crypto';
import { type AuditedEvent, type Breach, chainBreaches, replayMandate } from '#verifier';
import type { Books } from './books.js';

/** What the verifier finds in the streams, each by itself: in books that the program has written, nothing. */
export const breachesIn = ({ events }: Books): readonly string[] => {
  const streams = new Map<string, AuditedEvent[]>();
  for (const { stored } of events) {
    streams.set(stored.stream, [...(streams.get(stored.stream) ?? []), stored]);
  }
  return [...streams].flatMap(([stream, its]) => [
    ...chainBreaches((bytes) => createHash('sha256').update(bytes).digest(), its).map(shown),
    ...(stream.startsWith('mandate-') ? replayMandate(stream, its).breaches.map(shown) : []),
  ]);
};

const shown = ({ rule, stream, revision, message }: Breach): string =>
  `${rule} in ${stream}@${revision ?? 'all'}: ${message}`;

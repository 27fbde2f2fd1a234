import type { MinuteOfTraffic } from '#events';
import type { Instant } from '#kernel';
import type { Projection } from '#read-models';
import { type Bucket, BUCKETS, slotOf, startOf } from './figures/buckets.rule.js';
import { figuresWith, pointWith } from './figures/figures.evolve.js';
import type { BucketFigures, BucketPoint, TrafficDocument } from './figures/figures.state.js';

/**
 * Agent traffic by minute, hour and day: for each bucket its figures, and a point of its chart. Every process counts into
 * the same ones; minutes and hours lie in rings, where the new takes the place of what is too old.
 */
export const agentTrafficProjection: Projection<TrafficDocument> = {
  name: 'agent-traffic',
  version: 1,
  categories: ['traffic'],
  indexes: [{ fields: ['kind', 'start'] }],
  documentsOf: (event) => {
    if (event.type !== 'AgentTrafficObserved') return [];
    const starts = event.data.minutes.map(({ start }) => start);
    return [...new Set(starts.flatMap((start) => [...idsOf('figures', start), ...idsOf('point', start)]))];
  },
  evolve: (document, event, id) => {
    if (event.type !== 'AgentTrafficObserved') return document;
    const place = PLACES.find(({ bucket, content }) => id.startsWith(`${bucket} ${content} `));
    if (!place) return document;
    const { bucket, content } = place;
    const minutes = event.data.minutes.filter(({ start }) => idOf(content, bucket, start) === id);
    return minutes.reduce((folded, minute) => withMinute(folded, minute, bucket, content), document);
  },
};

type Content = 'figures' | 'point';

/** What a document may hold, which its id begins with. */
const PLACES: readonly { readonly bucket: Bucket; readonly content: Content }[] = BUCKETS.flatMap((bucket) => [
  { bucket, content: 'figures' },
  { bucket, content: 'point' },
]);

const idOf = (content: Content, bucket: Bucket, instant: Instant): string =>
  `${bucket} ${content} ${slotOf(bucket, startOf(bucket, instant))}`;

const idsOf = (content: Content, instant: Instant): readonly string[] =>
  BUCKETS.map((bucket) => idOf(content, bucket, instant));

/** The document of an id at an instant: what lies there, or an empty one; null where what lies there is newer. */
const at = <Kept extends TrafficDocument>(document: TrafficDocument | null, empty: Kept): Kept | null => {
  if (!document || document.start < empty.start) return empty;
  // Of one id all documents are of one kind.
  return document.start === empty.start ? (document as Kept) : null;
};

const emptyFigures = (bucket: Bucket, instant: Instant): BucketFigures => ({
  kind: `${bucket} figures`,
  start: startOf(bucket, instant),
  calls: {},
  agents: {},
});

const emptyPoint = (bucket: Bucket, instant: Instant): BucketPoint => ({
  kind: `${bucket} point`,
  start: startOf(bucket, instant),
  requests: 0,
  errors: 0,
  latencies: [],
});

const withMinute = (
  document: TrafficDocument | null,
  minute: MinuteOfTraffic,
  bucket: Bucket,
  content: Content,
): TrafficDocument | null => {
  if (content === 'figures') {
    const figures = at(document, emptyFigures(bucket, minute.start));
    return figures ? figuresWith(figures, minute) : document;
  }
  const point = at(document, emptyPoint(bucket, minute.start));
  return point ? pointWith(point, minute) : document;
};

import type { MandateEvent } from '#events';
import type { Instant, Money } from '#kernel';
import { mandates } from '#mandate/pure';
import { orders } from '#order/pure';
import type { Projection } from '#read-models';

type Event = (typeof HAPPENINGS)[number];

/** What became of an order, or happened to a mandate beside its orders, as pages show it by day. */
export interface Happening {
  /** Its owner; null: an event of before that names no agent. */
  readonly holder: string | null;
  readonly clientId: string | null;
  readonly at: Instant;
  readonly type: Event;
  /** The order or the mandate. */
  readonly subject: string;
  /** The number of its event in the stream. */
  readonly revision: number;
  /** Whether its agent did it. */
  readonly isByAgent: boolean;
  /** The ceiling that was asked for, permitted or left. */
  readonly limit?: Money;
  /** With all agents of its traveller. */
  readonly isOfAll?: true;
  /** The charge that was refused before an order began, and when, by which refusals are listed. */
  readonly refused?: Extract<MandateEvent, { type: 'MandateChargeRefused' }>['data'];
  readonly refusedAt?: Instant;
}

const HAPPENINGS = [
  ...(['OrderPaid', 'OrderFailed', 'OrderCancelled'] as const),
  ...(['MandateRequested', 'MandateApproved', 'MandateCreated', 'MandateNarrowed', 'MandatePaused'] as const),
  ...(['MandateResumed', 'MandateRevoked', 'MandateExpired', 'MandateChargeRefused'] as const),
] as const;

type From = readonly [typeof orders, typeof mandates];
type Recorded = Parameters<Projection<Happening, From>['documentsOf']>[0];
type ShownEvent = Recorded & { readonly type: Event };

const isShown = (event: Recorded): event is ShownEvent => HAPPENINGS.some((type) => type === event.type);

/** What happened for travellers, by its time: one document each, and never another one. An auditor's refusals are among it. */
export const happeningsProjection: Projection<Happening, From> = {
  name: 'happenings',
  version: 1,
  from: [orders, mandates],
  indexes: [{ fields: ['holder', 'at'] }, { fields: ['refusedAt'] }],
  documentsOf: (event) => {
    if (!isShown(event) || (event.type !== 'MandateChargeRefused' && !event.party)) return [];
    const id = idOf(event);
    return id === null ? [] : [id];
  },
  evolve: (known, event) => known ?? (isShown(event) ? happeningOf(event) : null),
};

/** Events about one thing share an id, and the first of them is shown; null: another event is. */
const idOf = (event: ShownEvent): string | null => {
  const { id, revision } = event;
  switch (event.type) {
    case 'MandateApproved':
    case 'MandateCreated':
      return `${id}@permitted`;
    case 'MandatePaused':
    case 'MandateResumed': {
      const { pause } = event.data;
      return pause === undefined ? `${id}@${revision}` : `${event.party?.holder} ${event.type} ${pause}`;
    }
    case 'MandateChargeRefused':
      return event.data.orderId === null ? `${id}@${revision}` : null;
    default:
      return `${id}@${revision}`;
  }
};

const happeningOf = (event: ShownEvent): Happening => {
  const { type, data, id: subject, revision, occurredAt, actor, party } = event;
  return {
    holder: party?.holder ?? null,
    clientId: party?.clientId ?? null,
    at: type === 'OrderPaid' ? event.data.payment.capturedAt : occurredAt,
    ...{ type, subject, revision, isByAgent: actor.clientId !== null },
    ...('limit' in data && { limit: data.limit }),
    ...('pause' in data && data.pause !== undefined && { isOfAll: true }),
    ...(type === 'MandateChargeRefused' && { refused: event.data, refusedAt: event.data.refusedAt }),
  };
};

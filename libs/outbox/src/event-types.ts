import type { DelegationEvent, FlightEvent, MandateEvent, OrderEvent } from '#events';
import type { Scope } from '#kernel';
import { isPaused, type Mandate } from '#mandate/pure';

/** Every type of public event, and the scope that a token needs to be given it (docs/interface.md, Events). */
export const EVENT_TYPES = {
  'order.paid': { scope: 'receipt:read' },
  'order.failed': { scope: 'receipt:read' },
  'order.cancelled': { scope: 'receipt:read' },
  'challenge.requested': { scope: 'receipt:read' },
  'challenge.decided': { scope: 'receipt:read' },
  'flight.cancelled': { scope: 'receipt:read' },
  'mandate.requested': { scope: 'mandate:create' },
  'mandate.granted': { scope: 'mandate:create' },
  'mandate.refused': { scope: 'mandate:create' },
  'mandate.narrowed': { scope: 'mandate:create' },
  'mandate.paused': { scope: 'mandate:create' },
  'mandate.resumed': { scope: 'mandate:create' },
  'mandate.nearly_exhausted': { scope: 'mandate:create' },
  'mandate.exhausted': { scope: 'mandate:create' },
  'mandate.refunded': { scope: 'mandate:create' },
  'mandate.revoked': { scope: 'mandate:create' },
  'mandate.expired': { scope: 'mandate:create' },
  'agent.revoked': { scope: 'mandate:create' },
} as const satisfies Readonly<Record<string, { readonly scope: Scope }>>;

export type EventType = keyof typeof EVENT_TYPES;

export const isEventType = (text: string): text is EventType => Object.hasOwn(EVENT_TYPES, text);

/** The types that a token with these scopes is given. */
export const typesFor = (scopes: readonly Scope[]): readonly EventType[] =>
  Object.keys(EVENT_TYPES)
    .filter(isEventType)
    .filter((type) => scopes.includes(EVENT_TYPES[type].scope));

/** What an event of an order is published as; null: it is not. */
export const typeOfOrder = ({ type }: OrderEvent): EventType | null => {
  switch (type) {
    case 'OrderPaid':
      return 'order.paid';
    case 'OrderFailed':
      return 'order.failed';
    case 'OrderCancelled':
      return 'order.cancelled';
    case 'PaymentChallenged':
      return 'challenge.requested';
    case 'PaymentApproved':
    case 'PaymentDeclined':
      return 'challenge.decided';
    case 'OrderPlaced':
    case 'OrderCancellationStarted':
    case 'OrderRefundFailed':
      return null;
  }
};

/** Events that are never published, and change nothing that others are published for, but for the owner of an order. */
const SILENT: ReadonlySet<string> = new Set([
  'OrderPlaced',
  'OrderCancellationStarted',
  'OrderRefundFailed',
  'MandateApproved',
  'MandateReserved',
  'MandateReleased',
  'MandateChargeRefused',
  'MandateAbandoned',
  'FlightScheduled',
  'FaresRepriced',
  'SeatsHeld',
  'SeatsReleased',
] satisfies readonly (OrderEvent | MandateEvent | FlightEvent)['type'][]);

/** Whether an event of this type may be published. */
export const mayBePublished = (type: string): boolean => !SILENT.has(type);

/** The mandate that an event changes. */
interface Change {
  readonly before: Mandate;
  readonly after: Mandate;
  /** Whether the mandate's own agent is the actor. */
  readonly isByAgent: boolean;
}

/** What an event of a mandate is published as, in this order. */
export const typesOfMandate = (event: MandateEvent, { before, after, isByAgent }: Change): readonly EventType[] => {
  switch (event.type) {
    case 'MandateRequested':
      return ['mandate.requested'];
    case 'MandateCreated':
      return ['mandate.granted'];
    case 'MandateConsumed':
      return crossings(before, after);
    case 'MandateNarrowed':
      return ['mandate.narrowed', ...crossings(before, after)];
    case 'MandatePaused':
      return standsStill(before) ? [] : ['mandate.paused'];
    case 'MandateResumed':
      return standsStill(after) ? [] : ['mandate.resumed'];
    case 'MandateRefunded':
      return event.data.amount.amount > 0 ? ['mandate.refunded'] : [];
    case 'MandateRevoked': {
      const wasAsked = before.kind === 'granted' && before.pending !== undefined;
      return [wasAsked && !isByAgent ? 'mandate.refused' : 'mandate.revoked'];
    }
    case 'MandateExpired':
      return ['mandate.expired'];
    case 'MandateApproved':
    case 'MandateReserved':
    case 'MandateReleased':
    case 'MandateChargeRefused':
    case 'MandateAbandoned':
      return [];
  }
};

/** Paused by itself and with everything it stands still once. */
const standsStill = (mandate: Mandate): boolean => mandate.kind === 'granted' && isPaused(mandate);

/** Of how much of its ceiling, in hundredths, a mandate is said to be nearly exhausted. */
const NEARLY = 80;

/** What of a ceiling is spent where that was not spent before. A refund may bring it back below, and it is crossed again. */
const crossings = (before: Mandate, after: Mandate): readonly EventType[] => {
  const crosses = (hundredths: number): boolean => !isSpent(before, hundredths) && isSpent(after, hundredths);
  return [
    ...(crosses(NEARLY) ? (['mandate.nearly_exhausted'] as const) : []),
    ...(crosses(100) ? (['mandate.exhausted'] as const) : []),
  ];
};

const isSpent = (mandate: Mandate, hundredths: number): boolean =>
  mandate.kind === 'granted' && mandate.consumed * 100 >= mandate.limit.amount * hundredths;

/** What an event of a delegation is published as; null: it is not. */
export const typeOfDelegation = ({ type }: DelegationEvent): EventType | null =>
  type === 'AgentRevoked' ? 'agent.revoked' : null;

/** Orders that hold seats of a flight, in the order in which they took them, be they released since. */
export const holdersOf = (
  events: readonly FlightEvent[],
): readonly { readonly orderId: string; readonly holds: boolean }[] => {
  const held = new Map<string, boolean>();
  for (const event of events) {
    if (event.type === 'SeatsHeld') held.set(event.data.orderId, true);
    else if (event.type === 'SeatsReleased' && held.has(event.data.orderId)) held.set(event.data.orderId, false);
  }
  return [...held].map(([orderId, holds]) => ({ orderId, holds }));
};

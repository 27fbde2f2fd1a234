import type { EventStore } from '#event-store';
import { idOf } from '#events';

/** Resolves once no checkout is open, and every mandate that is over is closed in its delegation. */
export const untilSettled = async (log: EventStore): Promise<void> => {
  const open = new Set<string>();
  const end = new AbortController();
  const head = (await log.head())?.position ?? '';
  const options = { after: null, categories: ['booking', 'mandate', 'delegation'], signal: end.signal };
  for await (const { event, checkpoint } of log.subscribe(options)) {
    switch (event?.type) {
      case 'BookingCheckoutStarted':
      case 'MandateRevoked':
      case 'MandateExpired':
        open.add(idOf(event.stream));
        break;
      case 'BookingCheckoutAbandoned':
      case 'BookingTicketed':
        open.delete(idOf(event.stream));
        break;
      case 'MandateClosed':
        open.delete(String(event.data['mandateId']));
        break;
      default:
    }
    if (checkpoint.position >= head && open.size === 0) break;
  }
  end.abort();
};

import type { Bookings } from '#booking';
import { validated } from '#http';
import { type Caller, covers, DomainError } from '#kernel';
import { CreateMandateDto, termsOf } from '#mandate';
import { PlaceOrderDto } from '#order';
import type { Tool } from './tool.js';

/** Members of a refusal for want of a consent: what to send as `authorization_details` (RFC 9396) beside the scopes. */
interface ConsentMissing {
  readonly authorization_details?: readonly [object];
}

/**
 * What a call that may spend lacks beside its scopes: the mandate it asked to create, or one for the booking it would pay.
 * With it the traveller decides once, on the consent page. A total is told only to who may read the booking.
 */
export const consentMissing = async (
  tool: Tool | undefined,
  given: unknown,
  caller: Caller | null,
  bookings: Bookings,
): Promise<ConsentMissing> => {
  if (typeof given !== 'object' || given === null) return {};
  try {
    if (tool?.name === 'create_mandate') return mandateOf(validated(CreateMandateDto, given));
    if (tool?.name !== 'place_order' || !caller || !covers(caller.scopes, ['booking:write'])) return {};
    const { bookingId, mandateId } = validated(PlaceOrderDto, given);
    if (mandateId !== undefined) return {};
    const { total } = await bookings.get(bookingId, caller.holder);
    return total.amount === 0 ? {} : mandateOf({ limit: total, constraints: { maxOrders: 1 } });
  } catch (error) {
    // Arguments that are no good are refused once there is a token for them.
    if (error instanceof DomainError) return {};
    throw error;
  }
};

const mandateOf = (asked: CreateMandateDto): ConsentMissing => {
  const { limit, minutes: durationMinutes, scope, constraints } = termsOf(asked);
  return {
    authorization_details: [
      { type: 'payment_mandate', limit, durationMinutes, scope, ...(constraints && { constraints }) },
    ],
  };
};

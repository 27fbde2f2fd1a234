import { z } from 'zod';
import { checkTravellers, NamesTravellers, type Traveller, TravellerDto } from '#booking';
import { validated } from '#http';
import { DomainError, type Instant } from '#kernel';
import type { Asking } from '../asking.js';
import { hasFlights } from '../capabilities.js';
import type { ErrorMessage } from '../envelope.js';
import { parsedAs } from '../invalid-request.js';
import { passengersForm } from './flights.forms.js';

/** In what a platform sends; more of it is for us to say. */
const sent = z.object({ flights: z.object({ passengers: passengersForm.optional() }).optional() });

/** Who flies, where the platform may say so and does. @throws UcpError `invalid_request` */
export const passengersIn = (asking: Pick<Asking, 'active'>, input: object): readonly Traveller[] | undefined => {
  const named = hasFlights(asking) ? parsedAs(sent, input).flights?.passengers : undefined;
  return named && named.length > 0 ? named : undefined;
};

/** Our own rule for what may be said of who flies. */
class PassengersDto {
  @NamesTravellers()
  readonly travellers: readonly TravellerDto[];
}

/** What of those who fly cannot be booked. `departs`: the local day of the flight, null where it has none. */
export const passengerMessages = (
  travellers: readonly Traveller[] | undefined,
  quantity: number,
  days: { readonly now: Instant; readonly departs: string | null },
): readonly ErrorMessage[] => {
  if (!travellers) return [];
  try {
    validated(PassengersDto, { travellers });
    checkTravellers({ travellers }, quantity, days);
    return [];
  } catch (error) {
    if (!(error instanceof DomainError && error.code === 'invalid_travellers')) throw error;
    const wrong = (error.details ?? []) as readonly { readonly field: string; readonly message: string }[];
    return wrong.map(({ field, message }) => ({
      ...{ type: 'error', code: 'invalid_passengers', content: message, severity: 'recoverable' },
      path: pathOf(field),
    }));
  }
};

/** `travellers.0.birthDate` as a path of RFC 9535. */
const pathOf = (field: string): string =>
  `$.flights.${field.replace(/^travellers/, 'passengers').replace(/\.(\d+)(?=\.|$)/g, '[$1]')}`;

import { z } from 'zod';
import { ERROR_CODES } from '#kernel';

/* The closed lists of what may be stored. Unlike the API's they only grow, so that what is stored stays readable. */

/** RFC 3339 UTC with milliseconds, as `Instant`. */
export const instant = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
/** ISO 4217 codes. */
export const currency = z.enum(['BRL', 'USD', 'EUR']);
/** Amount in integer cents with its currency. */
export const money = z.object({ amount: z.int(), currency }).readonly();
export const scopes = z
  .array(
    z.enum([
      'catalog:read',
      'booking:write',
      'order:write',
      'mandate:create',
      'payment:execute',
      'receipt:read',
      'webhook:manage',
    ]),
  )
  .readonly();
/** Codes that the API gave up: taken out of the kernel's list, a code goes here. */
const FORMER_CODES = [] as const;
export const errorCode = z.enum([...ERROR_CODES, ...FORMER_CODES]);
/** Who acted: the traveller and the agent. */
export const party = { holder: z.string(), clientId: z.string() };

export type EventSchemas = Readonly<Record<string, z.ZodType>>;

export type EventOf<Schemas extends EventSchemas> = {
  [Type in keyof Schemas & string]: { readonly type: Type; readonly data: Readonly<z.infer<Schemas[Type]>> };
}[keyof Schemas & string];

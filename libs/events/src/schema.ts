import { CURRENCIES, ERROR_CODES, SCOPES } from '#kernel';
import { z } from 'zod';

/** RFC 3339 UTC with milliseconds, as `Instant`. */
export const instant = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
/** Amount in integer cents with its currency. */
export const money = z.object({ amount: z.int(), currency: z.enum(CURRENCIES) }).readonly();
export const errorCode = z.enum(ERROR_CODES);
export const scopes = z.array(z.enum(SCOPES)).readonly();
/** Who acted: the traveller and the agent. */
export const party = { holder: z.string(), clientId: z.string() };

/** Schemas of the event types of one category, by type. */
export type EventSchemas = Readonly<Record<string, z.ZodType>>;

/** The union of events that a category's schemas describe. */
export type EventOf<Schemas extends EventSchemas> = {
  [Type in keyof Schemas & string]: { readonly type: Type; readonly data: Readonly<z.infer<Schemas[Type]>> };
}[keyof Schemas & string];

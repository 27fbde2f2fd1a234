export const AN_ID: unknown = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
export const AN_INSTANT: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
export const A_DATE: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\d$/);
export const A_TICKET: unknown = expect.stringMatching(/^\d{13}$/);
/** An answer that refuses, as far as a case looks at it. */
export const anError = (status: number, error: string, more: object = {}) => ({ status, body: { error, ...more } });

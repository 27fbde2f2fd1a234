import type { Asking } from './asking.js';
import { isFlights } from './capabilities.js';
import { AP2, CHECKOUT, ORDER, VERSION } from './versions.js';

/** What a platform can do about it (UCP, Checkout, Error Handling). */
export type Severity = 'recoverable' | 'requires_buyer_input' | 'requires_buyer_review' | 'unrecoverable';

/** A word about what was asked for (UCP, `types/message.json`). `path`: of RFC 9535. */
export interface ErrorMessage {
  readonly type: 'error';
  readonly code: string;
  readonly content: string;
  readonly severity: Severity;
  readonly path?: string;
}

export type Message =
  | ErrorMessage
  | { readonly type: 'warning' | 'info'; readonly code: string; readonly content: string; readonly path?: string };

/** The `ucp` member of an answer about one of these capabilities: of those in use what belongs to it (UCP, Response Capability Selection). */
export const envelopeOf = (
  { active }: Pick<Asking, 'active'>,
  about: readonly string[],
  status: 'success' | 'error' = 'success',
) => ({
  version: VERSION,
  status,
  capabilities: Object.fromEntries(
    [...active].filter((name) => isAbout(name, about)).map((name) => [name, [{ version: VERSION }]]),
  ),
});

const isAbout = (name: string, about: readonly string[]): boolean =>
  about.includes(name) ||
  (name === AP2 && about.includes(CHECKOUT)) ||
  (isFlights(name) && (about.includes(CHECKOUT) || about.includes(ORDER)));

/** An answer that has no resource (UCP, `types/error_response.json`). */
export const errorAnswer = (
  asking: Pick<Asking, 'active' | 'urls'>,
  about: readonly string[],
  messages: readonly Message[],
) => ({ ucp: envelopeOf(asking, about, 'error'), messages, continue_url: asking.urls.site });

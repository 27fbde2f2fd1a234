import { html, type Html } from '#site';
import type { MandateStatus } from '#mandate';

/** A mandate's status, in a word. */
export const MANDATE_WORDS: Readonly<Record<MandateStatus, string>> = {
  valid: 'válido',
  exhausted: 'esgotado',
  revoked: 'revogado',
  expired: 'vencido',
};

/** The status as a mark. */
export const mandateMark = (status: MandateStatus): Html =>
  html`<span class="${status === 'valid' ? 'mark-on' : 'mark-off'}">${MANDATE_WORDS[status]}</span>`;

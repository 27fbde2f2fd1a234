import { delegations } from '#mandate';
import type { DelegationEvent } from '#events';
import type { Projection } from '../projection.js';

/** A mandate while it is open, or a count of what happened. */
export interface OpenMandate {
  readonly agent?: string;
  readonly limit?: number;
  readonly opened?: number;
  readonly closed?: number;
  readonly spent?: number;
}

/** Id of the one document that counts over all agents. */
export const TOTAL = 'total';

/** Open mandates, deleted when they close, and a count an agent and over all: every way to touch documents. */
export const openMandates: Projection<OpenMandate, readonly [typeof delegations]> = {
  name: 'open-mandates',
  version: 1,
  from: [delegations],
  indexes: [{ fields: ['agent'] }],
  documentsOf: (event) =>
    event.type === 'MandateOpened' || event.type === 'MandateClosed' ? [event.data.mandateId, event.stream, TOTAL] : [],
  evolve: (document, event, id) => {
    if (event.type !== 'MandateOpened' && event.type !== 'MandateClosed') return document;
    if (id === event.stream || id === TOTAL) return counted(document ?? {}, event);
    return event.type === 'MandateOpened' ? { agent: event.stream, limit: event.data.limit.amount } : null;
  },
};

const counted = ({ opened = 0, closed = 0, spent = 0 }: OpenMandate, event: DelegationEvent): OpenMandate => {
  if (event.type === 'MandateOpened') return { opened: opened + 1, closed, spent };
  if (event.type === 'MandateClosed') return { opened, closed: closed + 1, spent: spent + event.data.consumed.amount };
  return { opened, closed, spent };
};

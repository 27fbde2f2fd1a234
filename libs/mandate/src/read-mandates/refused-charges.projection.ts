import type { MandateEvent } from '#events';
import type { Projection } from '#read-models';
import { mandates } from '../mandate.decider.js';

type Refused = Extract<MandateEvent, { type: 'MandateChargeRefused' }>['data'];

/** A charge that a mandate refused before an order began, with where its event stands. */
export interface RefusedCharge extends Omit<Refused, 'orderId' | 'allowed' | 'bookingId' | 'unitPrice'> {
  readonly mandateId: string;
  readonly revision: number;
  /** null: an event of before that names no agent. */
  readonly holder: string | null;
  readonly clientId: string | null;
}

/** The refusals that no order tells of, by their time: for auditors. Rule 18 bounds them, and an order that is placed writes none. */
export const refusedChargesProjection: Projection<RefusedCharge, readonly [typeof mandates]> = {
  name: 'refused-charges',
  version: 1,
  from: [mandates],
  indexes: [{ fields: ['refusedAt'] }],
  documentsOf: ({ type, data, id, revision }) =>
    type === 'MandateChargeRefused' && data.orderId === null ? [`${id}@${revision}`] : [],
  evolve: (known, { type, data, id: mandateId, revision, party }) => {
    if (type !== 'MandateChargeRefused') return known;
    const { orderId: _, allowed: __, bookingId: ___, unitPrice: ____, ...refused } = data;
    return { ...refused, mandateId, revision, holder: party?.holder ?? null, clientId: party?.clientId ?? null };
  },
};

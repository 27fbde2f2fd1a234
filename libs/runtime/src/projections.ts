import { bookingsProjection } from '#booking/pure';
import { flightsProjection } from '#catalog/pure';
import { openCheckoutsProjection } from '#checkout/pure';
import { agentsProjection, mandatesProjection, openMandatesProjection } from '#mandate/pure';
import { ordersProjection } from '#order/pure';
import { happeningsProjection } from '#portal/pure';
import type { Projection } from '#read-models';
import { agentFactsProjection, agentTrafficProjection } from '#traffic/pure';

export const PROJECTIONS: readonly Projection<object>[] = [
  flightsProjection,
  bookingsProjection,
  mandatesProjection,
  ordersProjection,
  openCheckoutsProjection,
  openMandatesProjection,
  happeningsProjection,
  agentsProjection,
  agentTrafficProjection,
  agentFactsProjection,
];

export { refusedCharge } from './charge-refusal.js';
export { loadMandate } from './load-mandate.js';
export type { MandateCommand } from './mandate.commands.js';
export { mandateDecider } from './mandate.decider.js';
export { MandateModule } from './mandate.module.js';
export type { GrantedMandate, Mandate } from './mandate.state.js';
export { mandateView } from './mandate.view.js';
export { mandatesProjection } from './mandates.projection.js';
export { RevokeMandate } from './revoke-mandate.command.js';

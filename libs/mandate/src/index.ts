export { refusedCharge } from './charge.rule.js';
export { GetMandate } from './get-mandate.query.js';
export { loadMandate } from './load-mandate.js';
export type { MandateCommand } from './mandate.commands.js';
export { mandateDecider, mandates } from './mandate.decider.js';
export { MandateOfHolder } from './mandate-of-holder.query.js';
export { MandateModule } from './mandate.module.js';
export { MandatesOfHolder } from './mandates-of-holder.query.js';
export { MandateSettings } from './mandate-settings.js';
export {
  type GrantedMandate,
  type Mandate,
  type MandateStatus,
  remainingOf,
  reservedOf,
  statusOf,
} from './mandate.state.js';
export { MandateStatement } from './mandate-statement.query.js';
export { MandateView, mandateView } from './mandate.view.js';
export { mandatesProjection } from './mandates.projection.js';
export { type OpenMandateItem, openMandatesProjection } from './open-mandates.projection.js';
export { RevokeMandate } from './revoke-mandate.command.js';
export type { StatementLineView } from './statement-line.view.js';
export { CreateMandateDto } from './mandate.dto.js';
export { mandateOperation } from './mandate-operation.js';

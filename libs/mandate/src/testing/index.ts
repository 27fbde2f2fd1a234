export { ApproveMandateHandler } from '../approve-mandate.js';
export {
  NarrowMandateHandler,
  PauseMandateHandler,
  ResumeMandateHandler,
  RevokeMandateHandler,
} from '../change-mandate.js';
export { CreateMandate, CreateMandateHandler } from '../create-mandate/create-mandate.js';
export { AlignAgentHandler, PauseAgentsHandler, ResumeAgentsHandler } from '../pause/pause-agents.js';
export { EndMandatesHandler, SetSpendingCapHandler } from '../delegation/set-terms.js';
export { GrantedAgent } from './granted.js';

export { SetApprovalModeHandler } from '../set-approval-mode.js';

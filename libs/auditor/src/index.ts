export { AuditorModule } from './auditor.module.js';
export { auditLog } from './audit-log.decider.js';
export { type AuditorRegistry, openAuditorRegistry } from './registry/auditor-registry.js';

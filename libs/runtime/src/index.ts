export { type Dependencies, openDependencies, closeDependencies, PROJECTIONS } from './dependencies.js';
export { DependenciesModule } from './dependencies.module.js';
export { createLogger, nestLogger } from './logger.js';
export { oauthSettings } from './oauth-settings.js';
export { EX_CONFIG, operatorMessage } from './operator-message.js';
export { closePorts, openEmbeddedPorts, openPorts, type Ports, storeLines } from './ports.js';
export { retryUntilAvailable } from './retry-until-available.js';
export { runProcess } from './run-process.js';

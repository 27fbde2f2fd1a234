export { checkoutsOf, type Dependencies, dependenciesOn, oauthSettings, openDependencies } from './dependencies.js';
export { DependenciesModule } from './dependencies.module.js';
export { progressLine, type Screen } from './progress-line.js';
export { PROJECTIONS } from './projections.js';
export { type Opened, opening } from './opened.js';
export { mailLine, reactorsOf } from './reactors.js';
export { createLogger, nestLogger } from './logger.js';
export { damageMessage, endDamaged, failureOf, operatorMessage, runProcess, UnusableHere } from './run-process.js';
export {
  checkFolder,
  closePorts,
  openEmbeddedPorts,
  openPorts,
  openPortsToRead,
  type Ports,
  retryUntilAvailable,
  storeLines,
  storePlaces,
} from './ports.js';
export { type ArgumentOf, operate, type Operation, type ResultOf, webhookNamed } from './operator/operations.js';
export type { CancelledFlight } from './operator/cancel-flight-on-sale.js';
export { askServer } from './operator/ask-server.js';
export { serveOperator } from './operator/serve-operator.js';
export { VERSION } from './version.js';
export { largeFiles } from './stored-form.js';
export { folderMarkIn, jsonIn, markFolder, refuseMarked } from './folder-mark.js';
export { refuseMixed } from './mixed-data.js';

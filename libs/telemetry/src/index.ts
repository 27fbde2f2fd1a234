export type { OnCollector } from './export-spans.js';
export { startTelemetry } from './start-telemetry.js';
export type { Telemetry } from './telemetry.js';

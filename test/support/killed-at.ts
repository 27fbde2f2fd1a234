import process from 'node:process';
import { readConfig } from '#config';
import { createLogger, openEmbeddedPorts } from '#runtime';
import { banner } from '../../apps/api/src/banner.js';
import { startApi } from '../../apps/api/src/start.js';
import { type Intercept, interceptedDocuments, interceptedEventStore } from './intercept.js';

/** The service, which dies at one step: `killed-at.js before|after <call>`, a call as in intercept.ts. */
const [, , when, fatalCall] = process.argv;

const die = (): Promise<never> => {
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => undefined);
};

const dying: Intercept = (call, work) => {
  if (call !== fatalCall) return work();
  return when === 'before' ? die() : work().finally(die);
};

const config = readConfig();
const api = await startApi(config, createLogger(config.logLevel), async () => {
  const ports = await openEmbeddedPorts(config);
  const events = interceptedEventStore(ports.events, dying);
  return { ...ports, events, documents: interceptedDocuments(ports.documents, dying) };
});
process.stderr.write(banner(config, api.origin, api.dependencies.transparency.signers));

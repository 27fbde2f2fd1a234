import process from 'node:process';
import { readConfig } from '#config';
import { createLogger, openEmbeddedPorts } from '#runtime';
import { startApi } from '../../../apps/api/src/start.js';
import { startProjector } from '../../../apps/projector/src/start.js';
import { lentPorts } from '../../support/lent-ports.js';

/** An API process that follows read models which another projects, both over embedded stores in one process. */
const SERVERS = { EVENTSTORE_URL: 'esdb://stores.example:2113', MONGODB_URL: 'mongodb://stores.example:27017' };

const ports = await openEmbeddedPorts(readConfig(process.env));
const config = readConfig({ ...process.env, ...SERVERS });
const open = () => Promise.resolve(lentPorts(ports));
const { origin } = await startApi(config, createLogger(config.logLevel), open);
await startProjector(config, createLogger('warn'), open);
while ((await fetch(`${origin}/api/v1/health/ready`)).status !== 200);
process.stderr.write(`Listens on ${origin}\n`);
process.once('SIGTERM', () => process.exit());

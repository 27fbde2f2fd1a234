/** `npm run test:servers`: the tests against servers whose addresses are in the environment. */
import process from 'node:process';
import { againstServers } from './against-servers.js';

const missing = ['EVENTSTORE_URL', 'MONGODB_URL'].filter((name) => !process.env[name]);
if (missing.length > 0) {
  process.stderr.write(`test:servers: not run, for want of ${missing.join(' and ')}\n`);
  process.exitCode = 1;
} else process.exitCode = againstServers({});

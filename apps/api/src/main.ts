import { openPorts, runProcess } from '#runtime';
import { banner } from './banner.js';
import { startApi } from './start.js';

process.stderr.on('error', () => undefined); // a terminal that is gone is no reason to end
await runProcess(
  (config, logger) => startApi(config, logger, openPorts, process.stderr),
  (config, { origin, dependencies }) => banner(config, origin, dependencies.transparency.signers),
);

import { readConfig } from '#config';
import { dataLines } from '../../api/src/banner.js';
import { endBySignal } from '../../api/src/end-by-signal.js';
import { createLogger } from '../../api/src/logger.js';
import { exitOnFailedStart } from '../../api/src/failed-start.js';
import { startProjector } from './start.js';

try {
  const config = readConfig();
  const logger = createLogger(config.logLevel);
  const stopWith = endBySignal(logger);
  const projector = await startProjector(config, logger);
  stopWith(projector.stop);
  process.stderr.write(['', 'Alçada projects, or stands by.', '', ...dataLines(config), '', ''].join('\n'));
} catch (error) {
  exitOnFailedStart(error);
}

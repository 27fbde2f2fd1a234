import { mailLine, runProcess, storeLines } from '#runtime';
import { startProjector } from './start.js';

await runProcess(startProjector, (config) =>
  ['', 'Alçada projects, or stands by.', '', ...storeLines(config), mailLine(config), '', ''].join('\n'),
);

import { runProcess } from '#runtime';
import { banner } from './banner.js';
import { startApi } from './start.js';

await runProcess(startApi, (config, { origin }) => banner(config, origin));

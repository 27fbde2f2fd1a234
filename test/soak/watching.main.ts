import { Socket } from 'node:net';
import { existsSync, readdirSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { queryObjects } from 'node:v8';
import { isMainThread } from 'node:worker_threads';
import type { Reading } from './watched.js';

/** Loaded before a program (`--import`): reports what its process takes; asked for objects, after a collection. */
const OPEN_FILES = '/proc/self/fd';

if (isMainThread && process.send) {
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  process.on('message', (isExact: boolean) => {
    const sockets = isExact ? queryObjects(Socket, { format: 'count' }) : null;
    const { rss, heapUsed } = process.memoryUsage();
    const resources = process.getActiveResourcesInfo();
    const { user, system } = process.cpuUsage();
    const reading: Reading = {
      rss,
      heapUsed,
      sockets,
      descriptors: existsSync(OPEN_FILES) ? readdirSync(OPEN_FILES).length : null,
      connections: resources.filter((kind) => kind === 'TCPSocketWrap').length,
      timers: resources.filter((kind) => kind === 'Timeout').length,
      delay: delay.percentile(99) / 1e6,
      cpu: (user + system) / 1_000,
    };
    delay.reset();
    process.send?.(reading);
  });
  process.channel?.unref();
}

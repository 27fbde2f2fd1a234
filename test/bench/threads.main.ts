import { readlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import process from 'node:process';
import { isMainThread, workerData } from 'node:worker_threads';

/** Loaded into every thread of a service: each notes by its name which thread of the system it is (Linux only). */
const name = isMainThread ? 'main' : basename((workerData as { readonly file?: string } | null)?.file ?? 'other');
writeFileSync(join(process.env['THREADS'] ?? '', name), basename(readlinkSync('/proc/thread-self')));

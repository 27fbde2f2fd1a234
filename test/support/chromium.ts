import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { tellSkipped } from '#testing';

/** The browser that pages are tried in: `CHROMIUM`, or where Debian puts it. */
const EXECUTABLE = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** It speaks to this machine alone, and asks for nothing that a container lacks. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Whether there is one here; where not, that the tests which need it are skipped is said aloud. */
export const hasChromium = (suite: string): boolean => {
  const isThere = existsSync(EXECUTABLE);
  if (!isThere) tellSkipped(suite, `no Chromium at ${EXECUTABLE}; install it, or set CHROMIUM`);
  return isThere;
};

/** A browser, with more on its command line. */
export const launchChromium = (...more: readonly string[]): Promise<Browser> =>
  chromium.launch({ executablePath: EXECUTABLE, args: [...ARGUMENTS, ...more] });

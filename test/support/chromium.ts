import { type Browser, chromium } from 'playwright-core';
import { tellNotGiven } from '#testing';

const { CHROMIUM = '' } = process.env;

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

/** Whether one is given; where not, that the tests which need it are skipped is said aloud. */
export const hasChromium = (suite: string): boolean => {
  if (CHROMIUM === '') tellNotGiven(suite, 'CHROMIUM');
  return CHROMIUM !== '';
};

export const launchChromium = (...more: readonly string[]): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM, args: [...ARGUMENTS, ...more] });

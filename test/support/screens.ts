import type { BrowserContextOptions } from 'playwright-core';
import { swept } from './sweep.js';

export const DESKTOP = { viewport: { width: 1280, height: 900 } };
export const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

const FEW: readonly (readonly [name: string, BrowserContextOptions])[] = [
  ['desktop-light', { ...DESKTOP, colorScheme: 'light' }],
  ['phone-dark', { ...PHONE, colorScheme: 'dark' }],
];
const MORE: typeof FEW = [...FEW, ['narrow-phone', { ...PHONE, viewport: { width: 320, height: 640 } }]];
const ALL: typeof FEW = [
  ...MORE,
  ['desktop-dark', { ...DESKTOP, colorScheme: 'dark' }],
  ['phone-light', { ...PHONE, colorScheme: 'light' }],
];

export const SCREENS = swept({ short: FEW, middle: MORE, full: ALL });

/** The first of what is done on several screens where sweeps are short, and all of it where they are not. */
export const firstOf = <Case>(cases: readonly Case[]): readonly Case[] =>
  swept({ short: cases.slice(0, 1), middle: cases, full: cases });

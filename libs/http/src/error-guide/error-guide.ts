import type { ErrorGuide } from '../error-catalogue.js';
import { EN } from './en.js';
import { PT } from './pt.js';

/** What the pages about errors say, by language. */
export const ERROR_GUIDES: Readonly<Record<'pt-BR' | 'en', ErrorGuide>> = { 'pt-BR': PT, en: EN };

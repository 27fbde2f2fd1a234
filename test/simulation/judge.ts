import { UnreadableEvent } from '#events';
import { booksOf, type LedgerEntry, REFUND_ROWS, type RefundEntry } from '../support/books.js';
import { findings } from '../support/findings.js';
import type { End } from './end.js';
import { answerFindings } from './judge/answers.js';
import { auditorFindings } from './judge/auditor.js';
import { capFindings } from './judge/caps.js';
import { captureFindings } from './judge/captures.js';
import { choiceFindings } from './judge/choice.js';
import { dayFindings } from './judge/days.js';
import { peopleFindings } from './judge/people.js';
import { placeFindings } from './judge/places.js';
import { priceFindings } from './judge/prices.js';
import { readModelFindings } from './judge/read-models.js';
import { refusalFindings } from './judge/refusals.js';
import { sealedFindings } from './judge/sealed.js';
import { sessionFindings } from './judge/sessions.js';
import { waitingFindings } from './judge/waiting.js';

/** What is wrong in the end of a life. It imports none of the program's rules or folds (`judge-knows-no-rules`). */
export const judge = (end: End): readonly string[] => {
  try {
    return judgedBy(end);
  } catch (error) {
    if (error instanceof UnreadableEvent) return [error.message];
    throw error;
  }
};

const judgedBy = (end: End): readonly string[] => {
  const rows = (end.documents.get('payment-ledger') ?? new Map()) as ReadonlyMap<string, LedgerEntry>;
  const refunds = (end.documents.get(REFUND_ROWS) ?? new Map()) as ReadonlyMap<string, RefundEntry>;
  const books = booksOf(end.log, rows, refunds);
  return [
    ...findings(books),
    ...auditorFindings(books),
    ...capFindings(books.events),
    ...dayFindings(books.events),
    ...captureFindings(end, books),
    ...choiceFindings(end, books),
    ...priceFindings(end, books),
    ...waitingFindings(books),
    ...readModelFindings(end, books),
    ...answerFindings(end, books),
    ...refusalFindings(end, books),
    ...sealedFindings(end),
    ...placeFindings(end, books),
    ...peopleFindings(end, books),
    ...sessionFindings(end, books),
  ];
};

import { AsyncLocalStorage } from 'node:async_hooks';
import { DocumentsUnavailable } from '#documents';
import { AppendOutcomeUnknown, StoreUnavailable } from '#event-store';
import { Unavailable } from '#kernel';
import type { Intercept } from '../support/intercept.js';
import type { Interleaving } from './interleaving.js';

/** The payment processor did not answer. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/** What becomes of a call on its way. */
const FATES = ['answer lost', 'never arrives', 'arrives late', 'refused'] as const;

const strands = new AsyncLocalStorage<string>();

/** Does `work` as one strand: every port it calls waits for the strand's turn. */
export const asStrand = <Answer>(name: string, work: () => Promise<Answer>): Promise<Answer> => strands.run(name, work);

/** Bad lines to every port: calls wait for their turn, and of `trouble` (0 to 1) of them the answer does not come. */
export const badLines = (interleaving: Interleaving, random: () => number, trouble: number): Intercept => {
  let late = 0;
  const fateOf = (call: string) => {
    if (random() >= trouble) return 'arrives';
    return isQuestion(call) ? 'refused' : (FATES[Math.floor(random() * FATES.length)] ?? 'arrives');
  };
  return async (call, work) => {
    const strand = strands.getStore();
    if (strand === undefined) throw new Error(`${call} outside of any strand`);
    await interleaving.turn(strand);
    const fate = fateOf(call);
    if (fate === 'refused') throw refused(call);
    if (fate === 'arrives late') {
      late += 1;
      void interleaving.turn(`late ${late}`).then(() => work().catch(() => undefined));
    }
    if (fate === 'arrives' || fate === 'answer lost') {
      const answer = await work().finally(() => interleaving.turn(strand));
      if (fate === 'arrives') return answer;
    }
    throw unanswered(call);
  };
};

const isQuestion = (call: string): boolean => /^(ledger: )?(read|get) /.test(call);

const unanswered = (call: string): Error => {
  if (call.startsWith('append ')) return new AppendOutcomeUnknown(call);
  return isDocument(call) ? new DocumentsUnavailable(call) : new NoAnswer(call);
};

const refused = (call: string): Error => {
  if (/^(append|read) /.test(call)) return new StoreUnavailable(call);
  return isDocument(call) ? new DocumentsUnavailable(call) : new NoAnswer(call);
};

const isDocument = (call: string): boolean => /^(ledger: )?(insert|get|replace|delete) /.test(call);

/** Whether an error says no more than that the line was bad. */
export const isOfTheLine = (error: unknown): boolean => error instanceof Unavailable || error instanceof NoAnswer;

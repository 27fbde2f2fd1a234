import { parseEvent } from '../bundle.js';
import type { BundleReport } from '../report.js';
import { isOfStory, purchaseStory, STORY } from './purchase-story.js';

/** A vector: a file that somebody got, and why its report is what it is. */
export interface Vector {
  readonly name: string;
  readonly why: string;
  readonly lines: readonly string[];
}

/** What of a report every verifier has to find; messages are its own. */
export const expectedOf = ({ breaches, applied: _, ...report }: BundleReport) => ({
  ...report,
  breaches: breaches.map(({ rule, stream, revision }) => ({ rule, stream, revision })),
});

/** The bundles of docs/audit-vectors. */
export const vectors = async (): Promise<readonly Vector[]> => {
  const about = { mandate: STORY.mandateId };
  const sound = await purchaseStory().bundle(about, isOfStory);
  const edited = sound.map((line, place) =>
    place > 0 && parseEvent(line).type === 'MandateConsumed' ? line.replace('57990', '5799') : line,
  );
  const kept = sound.filter((line, place) => place === 0 || parseEvent(line).type !== 'MandateReleased');
  const missing = kept.map((line) => line.replace(/"events":\d+/, `"events":${kept.length - 1}`));
  const brl = (amount: number) => ({ amount, currency: 'BRL' });
  const over = purchaseStory((type, data) => (type === 'MandateReserved' ? { ...data, amount: brl(100_001) } : data));
  const cap = purchaseStory((type, data) => (type === 'SpendingCapSet' ? { ...data, cap: brl(99_999) } : data));
  const reason = purchaseStory((type, data) =>
    type === 'MandateChargeRefused' ? { ...data, reason: 'mandate_limit_exceeded' } : data,
  );
  return [
    { name: 'sound', why: 'a mandate as the service writes it', lines: sound },
    { name: 'edited', why: 'an amount was edited in the file', lines: edited },
    { name: 'missing', why: 'an event was taken out of the file', lines: missing },
    { name: 'cut', why: 'the file ends too early', lines: sound.slice(0, -1) },
    {
      name: 'over-ceiling',
      why: 'the log itself reserved more than the ceiling',
      lines: await over.bundle(about, isOfStory),
    },
    {
      name: 'over-cap',
      why: 'the log itself opened a mandate above the cap',
      lines: await cap.bundle(about, isOfStory),
    },
    {
      name: 'wrong-reason',
      why: 'the log itself gave another reason for a refusal',
      lines: await reason.bundle(about, isOfStory),
    },
  ];
};

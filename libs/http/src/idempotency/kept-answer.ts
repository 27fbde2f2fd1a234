import { ERROR_CODES, Refusal } from '#kernel';
import { z } from 'zod';
import type { Links } from '../links.js';

const members = z.looseObject({}).optional();
const kept = z.union([
  z.object({ created: z.looseObject({}) }),
  z.object({ refused: z.object({ code: z.enum(ERROR_CODES), details: members, members }) }),
]);

/** Addresses and the names that stand for them, the longer first. */
const placeholders = ({ base, site }: Links) =>
  [
    ['"{base_url}/', `"${base}/`],
    ['"{site_url}/', `"${site}/`],
  ] as const;

/** An answer as it is stored: JSON, with the names of addresses for the addresses (design.md §3: no URL in a stored one). */
export const keptAnswer = (outcome: object, links: Links): string =>
  placeholders(links).reduce(
    (json, [name, address]) => json.replaceAll(address, name),
    JSON.stringify(outcome instanceof Refusal ? { refused: membersOf(outcome) } : { created: outcome }),
  );

const membersOf = ({ code, details, members: others }: Refusal) => ({ code, details, members: others });

/** A stored answer with the addresses of this request: the view of what was created, or the refusal. */
export const answerKept = (answer: string, links: Links): object => {
  const json = placeholders(links).reduce((text, [name, address]) => text.replaceAll(name, () => address), answer);
  const parsed = kept.parse(JSON.parse(json));
  if ('created' in parsed) return parsed.created;
  const { code, details, members: others } = parsed.refused;
  return new Refusal(code, details, others && { members: others });
};

import { DomainError, ERROR_CODES } from '#kernel';
import { z } from 'zod';
import type { BaseUrls } from '../base-urls.js';

const members = z.looseObject({}).optional();
const kept = z.union([
  z.object({ created: z.looseObject({}) }),
  z.object({ refused: z.object({ code: z.enum(ERROR_CODES), details: members, members }) }),
]);

/** Addresses and the names that stand for them, the longer first. */
const placeholders = ({ base, site }: BaseUrls) =>
  [
    ['"{base_url}/', `"${base}/`],
    ['"{site_url}/', `"${site}/`],
  ] as const;

/** An answer as it is stored: JSON, with the names of addresses for the addresses (design.md §3: no URL in a stored one). */
export const keptAnswer = (outcome: object, urls: BaseUrls): string =>
  placeholders(urls).reduce(
    (json, [name, address]) => json.replaceAll(address, name),
    JSON.stringify(outcome instanceof DomainError ? { refused: membersOf(outcome) } : { created: outcome }),
  );

const membersOf = ({ code, details, members: others }: DomainError) => ({ code, details, members: others });

/** A stored answer with the addresses of this request: the view of what was created, or the refusal. */
export const answerKept = (answer: string, urls: BaseUrls): object => {
  const json = placeholders(urls).reduce((text, [name, address]) => text.replaceAll(name, () => address), answer);
  const parsed = kept.parse(JSON.parse(json));
  if ('created' in parsed) return parsed.created;
  const { code, details, members: others } = parsed.refused;
  return new DomainError(code, details, others && { members: others });
};

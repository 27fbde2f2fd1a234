/** What those calls came to that did not succeed: each came to one of these, and together they are `errors`. */
export const ENDINGS = ['refused', 'limited', 'failed', 'abandoned'] as const;
export type Ending = (typeof ENDINGS)[number];

/** How many calls did not succeed, and what they came to. */
export type Endings = Readonly<Record<'errors' | Ending, number>>;

export const NO_ENDINGS: Endings = { errors: 0, refused: 0, limited: 0, failed: 0, abandoned: 0 };

/** The status nginx logs if the caller left before the whole answer was sent. HTTP has none for it. */
export const CLIENT_CLOSED_REQUEST = 499;
const TOO_MANY_REQUESTS = 429;

/** What a call came to by its status: we refused it, limited it, or failed at it, or its caller left; null: it succeeded. */
export const endingOf = (status: number): Ending | null => {
  if (status < 400) return null;
  if (status >= 500) return 'failed';
  if (status === TOO_MANY_REQUESTS) return 'limited';
  return status === CLIENT_CLOSED_REQUEST ? 'abandoned' : 'refused';
};

/** What some calls came to, each with how many there were, added to what was counted before. */
export const endingsOf = (
  calls: Iterable<{ readonly status: number; readonly count: number }>,
  { errors, refused, limited, failed, abandoned }: Endings = NO_ENDINGS,
): Endings => {
  const sum = { errors, refused, limited, failed, abandoned };
  for (const { status, count } of calls) {
    const ending = endingOf(status);
    if (!ending) continue;
    sum.errors += count;
    sum[ending] += count;
  }
  return sum;
};

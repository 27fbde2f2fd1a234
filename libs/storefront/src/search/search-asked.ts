/** What a visitor searches for. */
export interface SearchAsked {
  readonly q: string;
  readonly from: string;
  readonly to: string;
  readonly cursor: string | undefined;
}

/** As much of a text as the search takes. */
const LONGEST = 100;

/** A search as its address says it: of what is repeated the first, of what is too long the beginning. */
export const searchAsked = (query: URLSearchParams): SearchAsked => {
  const text = (name: string): string => (query.get(name) ?? '').trim().slice(0, LONGEST);
  return {
    q: text('q'),
    from: text('from').toUpperCase(),
    to: text('to').toUpperCase(),
    cursor: query.get('cursor') ?? undefined,
  };
};

/** Whether anything narrows it. */
export const isNarrow = ({ q, from, to }: SearchAsked): boolean => q !== '' || from !== '' || to !== '';

/** The address of the page of a search that starts at `cursor`. */
export const pathOf = ({ q, from, to }: SearchAsked, cursor: string): string => {
  const entries = Object.entries({ from, to, q, cursor }).filter(([, value]) => value !== '');
  return `/?${new URLSearchParams(entries).toString()}#voos`;
};

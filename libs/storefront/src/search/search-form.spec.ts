import { describe, expect, it } from '@jest/globals';
import { isNarrow, pathOf, searchRequestIn } from './search-form.js';

const asked = (query: string) => searchRequestIn(new URLSearchParams(query));

describe('a search as its address says it', () => {
  it('knows what, from where, where to, and from which place of the list', () => {
    expect(asked('q= recife &from=gru&to=REC&cursor=abc')).toEqual({
      q: 'recife',
      from: 'GRU',
      to: 'REC',
      cursor: 'abc',
    });
  });

  it('takes the first of what is repeated and the beginning of what is too long', () => {
    expect(asked(`q=a&q=b&from=${'x'.repeat(500)}`)).toMatchObject({ q: 'a', from: 'X'.repeat(100) });
  });

  it('is none where nothing is filled in', () => {
    expect(isNarrow(asked('from=&to=&q=%20'))).toBe(false);
    expect(isNarrow(asked('to=REC'))).toBe(true);
  });

  it('goes on at another address that says the same', () => {
    const { cursor: _, ...same } = asked('from=GRU&q=a%26b');
    const next = pathOf(asked('from=GRU&q=a%26b'), 'xyz');
    expect(next).toBe('/?from=GRU&q=a%26b&cursor=xyz#voos');
    expect(searchRequestIn(new URL(next, 'https://voos.example').searchParams)).toEqual({ ...same, cursor: 'xyz' });
  });
});

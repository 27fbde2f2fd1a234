import { isNarrow, pathOf, searchRequestIn } from './search-form.js';

const asked = (query: string) => searchRequestIn(new URLSearchParams(query));

describe('a search as its address says it', () => {
  it('knows what, from where, where to, and from which place of the list', () => {
    expect(asked('q= recife &from=gru&to=REC&cursor=abc')).toEqual({
      q: 'recife',
      from: 'gru',
      to: 'REC',
      sort: 'departure',
      cursor: 'abc',
    });
  });

  it('takes the first of what is repeated and the beginning of what is too long', () => {
    expect(asked(`q=a&q=b&from=${'x'.repeat(500)}`)).toMatchObject({ q: 'a', from: 'x'.repeat(100) });
  });

  it('is none where nothing is filled in', () => {
    expect(isNarrow(asked('from=&to=&q=%20'))).toBe(false);
    expect(isNarrow(asked('to=REC'))).toBe(true);
  });

  it('takes a number where one flies to for that of a flight', () => {
    expect(asked('from=GRU&to=AL4012')).toMatchObject({ q: 'AL4012', from: 'GRU', to: '' });
    expect(asked('q=recife&to=4012')).toMatchObject({ q: 'recife', to: '4012' });
  });

  it('is of the day that it names, if that is one', () => {
    expect(asked('to=REC&date=2026-12-03').date).toBe('2026-12-03');
    expect(asked('to=REC&date=2026-02-30').date).toBeUndefined();
    expect(isNarrow(asked('date=2026-12-03'))).toBe(true);
    expect(pathOf(asked('date=2026-12-03'))).toBe('/?date=2026-12-03#voos');
  });

  it('is in the order that it asks for, where there is such an order', () => {
    expect(asked('sort=price').sort).toBe('price');
    expect(asked('sort=preco').sort).toBe('departure');
    expect(pathOf(asked('sort=duration'))).toBe('/voos?sort=duration#voos');
  });

  it('goes on at another address that says the same', () => {
    const { cursor: _, ...same } = asked('from=GRU&q=a%26b');
    const next = pathOf({ ...same, cursor: 'xyz' });
    expect(next).toBe('/?from=GRU&q=a%26b&cursor=xyz#voos');
    expect(searchRequestIn(new URL(next, 'https://voos.example').searchParams)).toEqual({ ...same, cursor: 'xyz' });
  });
});

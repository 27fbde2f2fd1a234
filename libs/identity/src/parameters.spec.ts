import { parametersOf } from './parameters.js';

describe('the parameters of an OAuth request', () => {
  it('are the same from a form and from JSON', () => {
    for (const input of [new URLSearchParams('a=1&b=2'), { a: '1', b: '2' }]) {
      const parameters = parametersOf(input);
      expect([parameters.required('a'), parameters.optional('b'), parameters.optional('c')]).toEqual([
        '1',
        '2',
        undefined,
      ]);
    }
  });

  it.each<[string, unknown]>([
    ['repeated in a form', new URLSearchParams('state=a&state=b')],
    ['repeated with the same value', new URLSearchParams('state=a&state=a')],
    ['an array', { state: ['a', 'b'] }],
    ['an array of one', { state: ['a'] }],
    ['an empty array', { state: [] }],
    ['an object, as a query for a document store', { state: { $gt: '' } }],
    ['an array in an array', { state: [['a']] }],
    ['a number', { state: 1 }],
    ['a boolean', { state: true }],
    ['null', { state: null }],
    ['longer than anyone needs', { state: 'a'.repeat(2_049) }],
  ])('refuse a value that is %s', (_, input) => {
    expect(() => parametersOf(input).optional('state')).toThrow('parameter_flawed');
    expect(() => parametersOf(input).requireWellFormed()).toThrow('parameter_flawed');
  });

  it.each([[['a']], 'a', 1, true])('refuse a body that is not an object: %j', (input) => {
    expect(() => parametersOf(input)).toThrow('parameter_flawed');
  });

  it('let resource alone repeat (RFC 8707 §2)', () => {
    for (const input of [new URLSearchParams('resource=a&resource=b'), { resource: ['a', 'b'] }]) {
      const parameters = parametersOf(input);
      parameters.requireWellFormed();
      expect(parameters.all('resource')).toEqual(['a', 'b']);
    }
    expect(() => parametersOf({ resource: ['a', {}] }).requireWellFormed()).toThrow('parameter_flawed');
  });

  it('count a parameter without a value as absent (RFC 6749 §3.1)', () => {
    const parameters = parametersOf(new URLSearchParams('scope=&state=&state=b'));
    expect(parameters.optional('scope')).toBeUndefined();
    expect(parameters.optional('state')).toBe('b');
    expect(() => parameters.required('scope')).toThrow('parameter_missing');
    expect(parametersOf(undefined).optional('a')).toBeUndefined();
  });

  it('distinguish a field that was left empty from one that is absent', () => {
    for (const input of [new URLSearchParams('cap=&request=r'), { cap: '', request: 'r' }]) {
      const parameters = parametersOf(input);
      expect(['cap', 'request', 'csrf'].map((name) => parameters.entered(name))).toEqual(['', 'r', undefined]);
    }
    expect(() => parametersOf(new URLSearchParams('cap=1&cap=2')).entered('cap')).toThrow('parameter_flawed');
  });

  it('include no property of the prototype', () => {
    expect(parametersOf({}).optional('constructor')).toBeUndefined();
    expect(parametersOf({}).optional('__proto__')).toBeUndefined();
  });

  it('are at most fifty, so that reading them costs the same whatever is sent', () => {
    const form = (count: number) => new URLSearchParams('a=1&'.repeat(count));
    const list = (count: number) => ({ resource: Array<string>(count).fill('https://voos.example') });
    for (const inputOf of [form, list]) {
      expect(() => parametersOf(inputOf(50))).not.toThrow();
      expect(() => parametersOf(inputOf(51))).toThrow('parameter_flawed');
    }
  });
});

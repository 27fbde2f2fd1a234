import { scopesIn } from './requested-access.js';

describe('the requested scopes', () => {
  it('are additive, separated by one space, and count once each', () => {
    expect(scopesIn('receipt:read booking:write receipt:read')).toEqual(['booking:write', 'receipt:read']);
  });

  it.each([
    undefined,
    '',
    ' ',
    'booking:write admin',
    'BOOKING:WRITE',
    'booking:write  receipt:read',
    'booking:write,receipt:read',
  ])('refuse %j as a whole', (parameter) => {
    expect(() => scopesIn(parameter)).toThrow('scope_invalid');
  });

  it('never exceed what was granted (RFC 6749 §6)', () => {
    expect(scopesIn('receipt:read', ['receipt:read', 'order:write'])).toEqual(['receipt:read']);
    expect(() => scopesIn('receipt:read payment:execute', ['receipt:read'])).toThrow('scope_invalid');
  });
});

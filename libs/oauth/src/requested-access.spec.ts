import { scopesIn, scopeText, ucpNamesIn } from './requested-access.js';

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

  it('are asked for by the names of UCP, too, which the answer has as well', () => {
    const parameter = 'dev.ucp.shopping.order:manage receipt:read dev.ucp.shopping.order:read';
    expect(scopesIn(parameter)).toEqual(['order:write', 'receipt:read']);
    expect(() => scopesIn('dev.ucp.shopping.order:manage', ['receipt:read'])).toThrow('scope_invalid');
    const names = ucpNamesIn(parameter);
    expect(names).toEqual(['dev.ucp.shopping.order:read', 'dev.ucp.shopping.order:manage']);
    expect(scopeText(['receipt:read'], names)).toBe('receipt:read dev.ucp.shopping.order:read');
    expect(scopeText(['receipt:read'])).toBe('receipt:read');
  });

  it('never exceed what was granted (RFC 6749 §6)', () => {
    expect(scopesIn('receipt:read', ['receipt:read', 'order:write'])).toEqual(['receipt:read']);
    expect(() => scopesIn('receipt:read payment:execute', ['receipt:read'])).toThrow('scope_invalid');
  });
});

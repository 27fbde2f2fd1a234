import { baseUrlsAt } from '#http';
import { OAUTH_ERRORS } from '../oauth-error.js';
import { codeResponse, errorResponse } from './authorization-response.js';

const urls = baseUrlsAt('https://alcada.example');

describe('the authorization response', () => {
  it('carries code, state and issuer (RFC 6749 §4.1.2; RFC 9207 §2)', () => {
    const url = new URL(codeResponse({ redirectUri: 'http://localhost:8765/callback', state: 'a b' }, urls, 'c'));
    expect([url.origin, url.pathname]).toEqual(['http://localhost:8765', '/callback']);
    expect(Object.fromEntries(url.searchParams)).toEqual({ code: 'c', state: 'a b', iss: 'https://alcada.example' });
  });

  it('keeps the query that the redirect URI already has, on success as on error', () => {
    const to = { redirectUri: 'https://client.example/cb?tenant=1', state: null };
    expect(Object.fromEntries(new URL(codeResponse(to, urls, 'c')).searchParams)).toEqual({
      tenant: '1',
      code: 'c',
      iss: 'https://alcada.example',
    });
    expect(Object.fromEntries(new URL(errorResponse(to, urls, OAUTH_ERRORS.scope_invalid)).searchParams)).toMatchObject(
      {
        tenant: '1',
        error: 'invalid_scope',
        iss: 'https://alcada.example',
      },
    );
  });

  it('cannot be split by the content of state', () => {
    const state = 'x\r\nSet-Cookie: a=b&code=other#';
    const url = codeResponse({ redirectUri: 'http://localhost:8765/callback', state }, urls, 'c');
    expect(url).not.toMatch(/[\r\n ]/);
    expect(new URL(url).searchParams.getAll('code')).toEqual(['c']);
    expect(new URL(url).searchParams.get('state')).toBe(state);
  });

  it('goes to the private scheme of an application too', () => {
    expect(codeResponse({ redirectUri: 'com.example.app:/back', state: null }, urls, 'c')).toMatch(
      /^com\.example\.app:\/back\?code=c&iss=/,
    );
  });
});

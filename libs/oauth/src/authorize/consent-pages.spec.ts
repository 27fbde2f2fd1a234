import { describe, expect, it } from '@jest/globals';
import { consentPath } from './consent-ending.page.js';

describe('the consent page of a request', () => {
  it.each(['//evil.example', 'https://evil.example', '../x', 'a?b#c', '\\evil.example'])(
    'is never at an address that the request names: %s',
    (id) => {
      const url = new URL(consentPath(id), 'https://entrar.example');
      expect([url.origin, url.pathname.split('/').length, url.search, url.hash]).toEqual([
        'https://entrar.example',
        4,
        '',
        '',
      ]);
    },
  );
});

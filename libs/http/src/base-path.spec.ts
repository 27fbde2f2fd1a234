import { describe, expect, it } from '@jest/globals';
import { stripBasePath } from './base-path.js';
import { baseUrlsAt } from './base-urls.js';

const ROUTES = ['/oauth/token', '/api/v1/orders', '/conta'];
const isKnown = (path: string): boolean => ROUTES.includes(path);
const site = baseUrlsAt('https://voos.example');

describe('a URL below an address with a path', () => {
  it.each([
    ['/login/oauth/token', '/oauth/token'],
    ['/login/oauth/authorize?a=/login/x', '/oauth/authorize?a=/login/x'],
    ['/oauth/token', '/oauth/token'],
    ['/conta', '/conta'],
    ['/loginoauth/token', '/loginoauth/token'],
    ['/login', '/login'],
    ['/', '/'],
  ])('of the issuer: %s leads to %s', (url, local) => {
    expect(stripBasePath({ ...site, auth: 'https://voos.example/login' }, isKnown)?.(url)).toBe(local);
  });

  it('of site and API leads to their pages and operations', () => {
    const local = stripBasePath(baseUrlsAt('https://exemplo.example/voos'), isKnown);
    expect(['/voos/conta', '/voos/api/v1/orders', '/voos/oauth/token'].map((url) => local?.(url))).toEqual([
      '/conta',
      '/api/v1/orders',
      '/oauth/token',
    ]);
  });

  it('never hides a route of ours, though the path begins like one', () => {
    const local = stripBasePath({ ...site, auth: 'https://voos.example/oauth' }, isKnown);
    expect(['/oauth/token', '/oauth/oauth/token'].map((url) => local?.(url))).toEqual(['/oauth/token', '/oauth/token']);
  });

  it('is nothing to look for where no address has a path', () => {
    expect(stripBasePath(site, isKnown)).toBeNull();
  });
});

import { baseUrlsAt, baseUrlsFor, stripBasePath, wellKnown } from './base-urls.js';

const urls = baseUrlsAt('https://voos.example');
const under = (host: string | undefined, followLoopback = true) => baseUrlsFor({ urls, followLoopback }, host).site;

describe('the addresses of a request', () => {
  it('are an API, a site and an issuer', () =>
    expect(baseUrlsAt('http://127.0.0.1:3000')).toEqual({
      base: 'http://127.0.0.1:3000/api/v1',
      site: 'http://127.0.0.1:3000',
      auth: 'http://127.0.0.1:3000',
    }));

  it.each([
    ['127.0.0.1:4000', 'http://127.0.0.1:4000'],
    ['LOCALHOST', 'http://localhost'],
    ['[::1]:80', 'http://[::1]:80'],
    ['127.0.0.1:65535', 'http://127.0.0.1:65535'],
  ])('are its own under the loopback name %s', (host, origin) => expect(under(host)).toBe(origin));

  it.each([
    'evil.example',
    '127.0.0.1.evil.example',
    'localhost:3000@evil.example',
    'localhost:x',
    '127.0.0.1:65536',
    '[::1]:99999',
    '10.0.0.1:3000',
    '',
    undefined,
  ])('are the default ones under %j', (host) => expect(under(host)).toBe(urls.site));

  it('are the configured ones, whatever the name, once some are configured', () =>
    expect(under('127.0.0.1:3000', false)).toBe(urls.site));
});

describe('the address of metadata', () => {
  it.each([
    ['https://voos.example', 'https://voos.example/.well-known/x'],
    ['https://voos.example/login', 'https://voos.example/.well-known/x/login'],
    ['https://voos.example:8443/a/api/v1', 'https://voos.example:8443/.well-known/x/a/api/v1'],
  ])('of %s is %s', (address, expected) => expect(wellKnown('x', address)).toBe(expected));
});

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

import { formTarget, pageHeaders } from './page.js';

describe('the headers of a page', () => {
  it('allow no script, no inline style and no frame', () => {
    const policy = pageHeaders()['content-security-policy'];
    expect(policy).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    );
  });

  it('let a form lead to the origin it is told of', () => {
    const formTargets = [formTarget('http://127.0.0.1:8765/callback?x=1'), formTarget('com.example.app:/back')];
    expect(pageHeaders({ formTargets })['content-security-policy']).toContain(
      "form-action 'self' http://127.0.0.1:8765 com.example.app:;",
    );
  });

  it('name the scheme of an address that a policy cannot name: one of IPv6 (CSP Level 3, host-source)', () => {
    expect(formTarget('http://[::1]:8765/callback')).toBe('http:');
  });

  it('are no place where a host that a form leads to writes directives or policies of its own', () => {
    const formTargets = ['https://a;sandbox/', 'https://b,c.example/'].map(formTarget);
    const policy = pageHeaders({ formTargets })['content-security-policy'];
    expect(policy).toContain("form-action 'self' https://a%3Bsandbox https://b%2Cc.example; frame-ancestors 'none';");
  });

  it('let a script of ours run, and call its own origin and what it is told of', () => {
    const policy = pageHeaders({ scriptTargets: ['https://api.example'] })['content-security-policy'];
    expect(policy).toContain("default-src 'none'; script-src 'self'; connect-src 'self' https://api.example; ");
  });

  it('keep a traveller’s pages out of every cache, and let agents use the tools of public ones only', () => {
    expect(pageHeaders()).toMatchObject({ 'cache-control': 'no-store', 'origin-agent-cluster': '?1' });
    expect(pageHeaders()).not.toHaveProperty('permissions-policy');
    expect(pageHeaders({ isPublic: true })).toMatchObject({
      'cache-control': 'no-cache',
      'permissions-policy': 'tools=(self)',
      'cross-origin-opener-policy': 'same-origin-allow-popups',
      'origin-agent-cluster': '?1',
    });
  });

  it('tell nobody an address that may hold a secret', () => {
    expect(pageHeaders()['referrer-policy']).toBe('same-origin');
    expect(pageHeaders({ isAddressSecret: true })['referrer-policy']).toBe('no-referrer');
  });
});

import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exportJWK, generateKeyPair, type GenerateKeyPairResult } from 'jose';
import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import type { RunningApi } from '../../apps/api/src/start.js';
import { Browser, consent } from '#agent';
import { ANA, PILOT, PURCHASE } from '../support/agent.js';
import { alcada } from '../support/alcada.js';
import type { Booking, Order } from '../support/answers.js';
import { brl, GOOD_CARD, TRIP, TRIP_PRICE } from '../support/purchase.js';
import { ownFolder, startService } from '../support/service.js';

const CALLBACK = 'http://127.0.0.1:8765/callback';
const SCOPE = 'booking:write receipt:read';
/** The clients refuse http unless they are told: this is a test on loopback. */
const INSECURE = { [oauth.allowInsecureRequests]: true };

/** A client that signs assertions, must push its requests and bind its tokens. */
const STRICT = 'agente-estrito';
let signing: GenerateKeyPairResult;

const folder = ownFolder(() => service.stop());
let service: RunningApi;
beforeAll(async () => {
  const args = ['client', 'add', 'aplicativo', '--redirect-uri', CALLBACK, '--public'];
  expect(await alcada(folder, args)).toMatchObject({ code: 0 });
  signing = await generateKeyPair('ES256', { extractable: true });
  const keys = join(folder, 'jwks.json');
  await writeFile(keys, JSON.stringify({ keys: [{ ...(await exportJWK(signing.publicKey)), kid: 'chave' }] }));
  const strict = ['client', 'add', STRICT, '--redirect-uri', CALLBACK, '--require-par', '--require-dpop'];
  expect(await alcada(folder, [...strict, '--jwks', keys])).toMatchObject({ code: 0 });
  await rm(keys);
  service = await startService(folder);
});

const approvedBy = (address: URL): Promise<URL> => consent(new Browser(service.origin), address, ANA);
const statusOf = async (accessToken: string): Promise<number> => {
  const url = new URL(`${service.origin}/api/v1/bookings`);
  const bearer = { headers: { authorization: `Bearer ${accessToken}` } };
  return (await fetch(url, bearer)).status;
};

describe('oauth4webapi', () => {
  const discover = async (): Promise<oauth.AuthorizationServer> => {
    const issuer = new URL(service.origin);
    const found = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...INSECURE });
    return oauth.processDiscoveryResponse(issuer, found);
  };

  /** Discovery, PKCE, login and consent; the parameters that came back, checked with `state` and `iss`, and the verifier. */
  const authorize = async (as: oauth.AuthorizationServer, client: oauth.Client) => {
    const verifier = oauth.generateRandomCodeVerifier();
    const state = oauth.generateRandomState();
    const url = new URL(as.authorization_endpoint ?? '');
    url.search = new URLSearchParams({
      response_type: 'code',
      client_id: client.client_id,
      redirect_uri: CALLBACK,
      scope: SCOPE,
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }).toString();
    return { answer: oauth.validateAuthResponse(as, client, await approvedBy(url), state), verifier };
  };

  const tokensOf = async (as: oauth.AuthorizationServer, client: oauth.Client, authentication: oauth.ClientAuth) => {
    const { answer, verifier } = await authorize(as, client);
    const grant = [as, client, authentication, answer, CALLBACK, verifier, INSECURE] as const;
    return oauth.processAuthorizationCodeResponse(as, client, await oauth.authorizationCodeGrantRequest(...grant));
  };

  const pilot = { client_id: PILOT.clientId };
  const basic = oauth.ClientSecretBasic(PILOT.secret);

  it.each([
    ['client_secret_basic', pilot, basic],
    ['client_secret_post', pilot, oauth.ClientSecretPost(PILOT.secret)],
    ['no authentication, being public', { client_id: 'aplicativo' }, oauth.None()],
  ])('gets tokens with %s, renews them and gives them back', async (_, client, authentication) => {
    const as = await discover();
    const first = await tokensOf(as, client, authentication);
    expect(first).toMatchObject({ token_type: 'bearer', expires_in: 3600, scope: SCOPE });

    const refresh = [as, client, authentication, first.refresh_token ?? '', INSECURE] as const;
    const renewed = await oauth.refreshTokenGrantRequest(...refresh);
    const second = await oauth.processRefreshTokenResponse(as, client, renewed);
    expect(await statusOf(second.access_token)).toBe(200);

    const revoked = await oauth.revocationRequest(as, client, authentication, second.access_token, INSECURE);
    await oauth.processRevocationResponse(revoked);
    expect([await statusOf(first.access_token), await statusOf(second.access_token)]).toEqual([401, 401]);
  });

  it('as a resource server finds out who issues tokens for the API and checks one (RFC 9728, RFC 9068)', async () => {
    const api = new URL(`${service.origin}/api/v1`);
    const found = await oauth.resourceDiscoveryRequest(api, INSECURE);
    const resource = await oauth.processResourceDiscoveryResponse(api, found);
    expect(resource.authorization_servers).toEqual([service.origin]);

    const as = await discover();
    const { access_token } = await tokensOf(as, pilot, basic);
    const request = new Request(api, { headers: { authorization: `Bearer ${access_token}` } });
    const claims = await oauth.validateJwtAccessToken(as, request, api.href, INSECURE);
    expect(claims).toMatchObject({ iss: service.origin, client_id: PILOT.clientId, scope: SCOPE });
  });
});

describe('oauth4webapi with PAR, DPoP and authorization details, as a client without a secret', () => {
  const client: oauth.Client = { client_id: 'aplicativo' };
  const none = oauth.None();

  /** Tries again where the server wants its nonce first, as the library's documentation says. */
  const withNonce = async <Result>(send: () => Promise<Result>): Promise<Result> => {
    try {
      return await send();
    } catch (error) {
      if (!oauth.isDPoPNonceError(error)) throw error;
      return send();
    }
  };

  it('makes the whole purchase, of which a thief can repeat nothing', async () => {
    const issuer = new URL(service.origin);
    const found = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...INSECURE });
    const as = await oauth.processDiscoveryResponse(issuer, found);
    /** What went over the wire: method, address, headers and body of every request with a proof. */
    const sent: { readonly url: string; readonly options: RequestInit }[] = [];
    const DPoP = oauth.DPoP(client, await oauth.generateKeyPair('ES256', { extractable: false }));
    const options = {
      ...INSECURE,
      DPoP,
      [oauth.customFetch]: (url: string, init: RequestInit) => {
        sent.push({ url, options: init });
        return fetch(url, init);
      },
    };

    const verifier = oauth.generateRandomCodeVerifier();
    const request = {
      response_type: 'code',
      client_id: client.client_id,
      redirect_uri: CALLBACK,
      scope: PURCHASE.join(' '),
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      authorization_details: JSON.stringify([{ type: 'payment_mandate', limit: brl(TRIP_PRICE) }]),
    };
    const { request_uri } = await withNonce(async () => {
      const pushed = await oauth.pushedAuthorizationRequest(as, client, none, request, options);
      return oauth.processPushedAuthorizationResponse(as, client, pushed);
    });
    const address = new URL(as.authorization_endpoint ?? '');
    address.search = new URLSearchParams({ client_id: client.client_id, request_uri }).toString();
    const answer = oauth.validateAuthResponse(as, client, await approvedBy(address), oauth.expectNoState);
    const tokens = await withNonce(async () => {
      const grant = [as, client, none, answer, CALLBACK, verifier, options] as const;
      return oauth.processAuthorizationCodeResponse(as, client, await oauth.authorizationCodeGrantRequest(...grant));
    });
    expect(tokens.token_type).toBe('dpop');
    const [{ mandateId }] = tokens.authorization_details as unknown as [{ readonly mandateId: string }];

    const refresh = async () => {
      const renewed = await oauth.refreshTokenGrantRequest(as, client, none, tokens.refresh_token ?? '', options);
      return oauth.processRefreshTokenResponse(as, client, renewed);
    };
    const { access_token } = await withNonce(refresh);
    const call = (method: string, path: string, body?: object) =>
      withNonce(async () => {
        const headers = new Headers({
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        });
        const url = new URL(service.origin + path);
        const text = body && JSON.stringify(body);
        return oauth.protectedResourceRequest(access_token, method, url, headers, text, options);
      });
    const booking = await (await call('POST', '/api/v1/bookings', TRIP)).json();
    const bookingId = (booking as { readonly id: string }).id;
    const paid = await call('POST', '/api/v1/orders', { bookingId, mandateId, payment: GOOD_CARD });
    const { id } = (await paid.json()) as { readonly id: string };
    expect([paid.status, (await call('GET', `/api/v1/orders/${id}/receipt?x=1`)).status]).toEqual([201, 200]);

    const byTool = await call('POST', '/api/v1/webmcp/call', { tool: 'get_booking', arguments: { bookingId } });
    const params = { name: 'get_booking', arguments: { bookingId } };
    const byMcp = await call('POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    for (const through of [byTool, byMcp])
      expect([through.status, await through.text()]).toEqual([200, expect.stringContaining(bookingId)]);

    // Somebody who read all of it on its way sends each of them again, and uses the tokens.
    expect(sent.length).toBeGreaterThan(8);
    for (const { url, options: again } of sent) expect((await fetch(url, again)).ok).toBe(false);
    expect(await statusOf(access_token)).toBe(401);
    expect(await statusOf(tokens.access_token)).toBe(401);
  });
});

describe('openid-client', () => {
  const configured = (authentication?: openid.ClientAuth): Promise<openid.Configuration> =>
    openid.discovery(new URL(service.origin), PILOT.clientId, PILOT.secret, authentication, {
      algorithm: 'oauth2',
      execute: [openid.allowInsecureRequests],
    });

  const authorize = async (config: openid.Configuration, more: Readonly<Record<string, string>> = {}) => {
    const pkceCodeVerifier = openid.randomPKCECodeVerifier();
    const expectedState = openid.randomState();
    const url = openid.buildAuthorizationUrl(config, {
      redirect_uri: CALLBACK,
      scope: SCOPE,
      state: expectedState,
      code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      ...more,
    });
    return { back: await approvedBy(url), checks: { pkceCodeVerifier, expectedState } };
  };

  it.each([
    ['client_secret_basic', openid.ClientSecretBasic(PILOT.secret)],
    ['client_secret_post', openid.ClientSecretPost(PILOT.secret)],
  ])('runs the whole flow with %s: code, refresh, introspection, revocation', async (_, authentication) => {
    const config = await configured(authentication);
    const { back, checks } = await authorize(config);
    const first = await openid.authorizationCodeGrant(config, back, checks);
    const second = await openid.refreshTokenGrant(config, first.refresh_token ?? '', { scope: 'receipt:read' });
    expect(second).toMatchObject({ scope: 'receipt:read' });
    expect(await openid.tokenIntrospection(config, first.refresh_token ?? '')).toEqual({ active: false });
    expect(await openid.tokenIntrospection(config, second.refresh_token ?? '')).toMatchObject({
      active: true,
      scope: SCOPE,
    });
    await openid.tokenRevocation(config, second.refresh_token ?? '');
    expect(await openid.tokenIntrospection(config, second.access_token)).toEqual({ active: false });
  });

  it('refuses an answer that another issuer claims to have sent (mix-up, RFC 9207 §2.4)', async () => {
    const config = await configured();
    const { back, checks } = await authorize(config);
    back.searchParams.set('iss', 'https://evil.example');
    await expect(openid.authorizationCodeGrant(config, back, checks)).rejects.toThrow();
    back.searchParams.delete('iss');
    await expect(openid.authorizationCodeGrant(config, back, checks)).rejects.toThrow();
  });

  it('buys by a pushed request, signed assertions and bound tokens, within the details that the traveller granted', async () => {
    const config = await openid.discovery(
      new URL(service.origin),
      STRICT,
      undefined,
      openid.PrivateKeyJwt({ key: signing.privateKey, kid: 'chave' }),
      { algorithm: 'oauth2', execute: [openid.allowInsecureRequests] },
    );
    const DPoP = openid.getDPoPHandle(config, await openid.randomDPoPKeyPair('ES256'));
    const pkceCodeVerifier = openid.randomPKCECodeVerifier();
    const detail = { type: 'payment_mandate', limit: brl(700_00), durationMinutes: 60, purpose: 'Reunião' };
    const url = await openid.buildAuthorizationUrlWithPAR(
      config,
      {
        redirect_uri: CALLBACK,
        scope: 'booking:write order:write payment:execute mandate:create',
        code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
        code_challenge_method: 'S256',
        authorization_details: JSON.stringify([detail]),
      },
      { DPoP },
    );
    expect([...url.searchParams.keys()].sort()).toEqual(['client_id', 'request_uri']);

    const back = await approvedBy(url);
    const tokens = await openid.authorizationCodeGrant(config, back, { pkceCodeVerifier }, undefined, { DPoP });
    expect([tokens.token_type, await statusOf(tokens.access_token)]).toEqual(['dpop', 401]);
    const [{ mandateId }] = tokens.authorization_details as unknown as [{ readonly mandateId: string }];
    const post = async <Body>(path: string, body: object): Promise<Body> => {
      const sent = [new URL(`${service.origin}/api/v1${path}`), 'POST', JSON.stringify(body)] as const;
      const headers = new Headers({ 'content-type': 'application/json' });
      const answer = await openid.fetchProtectedResource(config, tokens.access_token, ...sent, headers, { DPoP });
      expect(answer.status).toBe(201);
      return (await answer.json()) as Body;
    };
    const { id: bookingId } = await post<Booking>('/bookings', TRIP);
    const order = await post<Order>('/orders', { bookingId, mandateId, payment: GOOD_CARD });
    expect(order).toMatchObject({ status: 'paid', grandTotal: brl(TRIP_PRICE) });
    const renewed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '', undefined, { DPoP });
    expect(await openid.tokenIntrospection(config, renewed.access_token)).toMatchObject({ active: true });
    await openid.tokenRevocation(config, renewed.access_token);
    await expect(post('/bookings', TRIP)).rejects.toThrow();
  });
});

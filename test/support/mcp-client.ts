import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { ANA, PILOT } from './agent.js';
import { Browser, consent } from '#agent';

/** What an MCP client keeps of its authorization: who it is, once it is anybody, and the tokens it is given. */
class Kept implements OAuthClientProvider {
  readonly clientMetadata;
  sentTo: URL | null = null;
  private kept: OAuthTokens | undefined;
  private verifier = '';

  constructor(
    readonly redirectUrl: string,
    private information: OAuthClientInformationMixed | undefined,
  ) {
    this.clientMetadata = { client_name: 'cliente MCP', redirect_uris: [redirectUrl] };
  }

  clientInformation() {
    return this.information;
  }

  saveClientInformation(information: OAuthClientInformationMixed): void {
    this.information = information;
  }

  tokens() {
    return this.kept;
  }

  saveTokens(tokens: OAuthTokens): void {
    this.kept = tokens;
  }

  redirectToAuthorization(url: URL): void {
    this.sentTo = url;
  }

  saveCodeVerifier(verifier: string): void {
    this.verifier = verifier;
  }

  codeVerifier() {
    return this.verifier;
  }
}

const pilot = () =>
  new Kept('http://127.0.0.1:8765/callback', { client_id: PILOT.clientId, client_secret: PILOT.secret });

/** A program that nobody has registered, listening on a port of its own. */
export const stranger = () => new Kept('http://127.0.0.1:39841/callback', undefined);

/** The SDK's own client, which knows the address of the MCP endpoint and nothing else of the service. */
export const mcpClientAt = async (origin: string, provider = pilot()) => {
  const transport = new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { authProvider: provider });
  const client = new Client({ name: 'cliente-mcp', version: '1.0.0' });
  await client.connect(transport);
  return {
    client,
    transport,
    provider,
    /** The traveller logs in and approves where the client has sent them, with this cap; the client gets its tokens. */
    authorize: async (fields: { readonly cap?: string; readonly mode?: string } = {}): Promise<void> => {
      if (!provider.sentTo) throw new Error('the client has sent its traveller nowhere');
      const back = await consent(new Browser(origin), provider.sentTo, ANA, fields);
      await transport.finishAuth(back.searchParams.get('code') ?? '');
    },
  };
};

/** The client of the revision 2026-07-28, with a token; `open`: its traveller's browser. */
export const modernClientAt = async (
  origin: string,
  token: string,
  open: (url: string) => Promise<void>,
): Promise<ModernClient> => {
  const client = new ModernClient(
    { name: 'cliente-mcp', version: '1.0.0' },
    { capabilities: { elicitation: { url: {} } }, versionNegotiation: { mode: 'auto' } },
  );
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    if (params.mode !== 'url') return { action: 'decline' };
    await open(params.url);
    return { action: 'accept' };
  });
  const authProvider = { token: () => Promise.resolve(token) };
  await client.connect(new ModernTransport(new URL(`${origin}/mcp`), { authProvider }));
  return client;
};

import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { ANA, PILOT } from './agent.js';
import { Browser, consent } from '../../apps/cli/src/agent/index.js';

const REDIRECT = 'http://127.0.0.1:8765/callback';

/** What an MCP client keeps of its authorization: a registered client, and the tokens it is given. */
class Registered implements OAuthClientProvider {
  readonly redirectUrl = REDIRECT;
  readonly clientMetadata = { client_name: 'cliente MCP', redirect_uris: [REDIRECT] };
  /** Where the traveller was sent last. */
  sentTo: URL | null = null;
  private kept: OAuthTokens | undefined;
  private verifier = '';

  clientInformation() {
    return { client_id: PILOT.clientId, client_secret: PILOT.secret };
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

/** The SDK's own client, which knows the address of the MCP endpoint and nothing else of the service. */
export const mcpClientAt = async (origin: string) => {
  const provider = new Registered();
  const transport = new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { authProvider: provider });
  const client = new Client({ name: 'cliente-mcp', version: '1.0.0' });
  await client.connect(transport);
  return {
    client,
    transport,
    provider,
    /** The traveller logs in and approves where the client has sent them; the client gets its tokens. */
    authorize: async (): Promise<void> => {
      if (!provider.sentTo) throw new Error('the client has sent its traveller nowhere');
      const back = await consent(new Browser(origin), provider.sentTo, ANA);
      await transport.finishAuth(back.searchParams.get('code') ?? '');
    },
  };
};

/**
 * The client of the revision 2026-07-28, with a token; `open` is its traveller's browser, and is given each address that
 * they are to be taken to.
 */
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

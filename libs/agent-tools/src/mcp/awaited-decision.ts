import {
  type CallToolResult as McpResult,
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { DomainError } from '#kernel';
import type { CallToolResult } from '../run-tool.js';
import { asRecord } from './message.js';

/** What came of a tool's call: its result, and what was refused if anything was. */
export interface Outcome {
  readonly result: CallToolResult;
  readonly refusal?: DomainError;
  /** What the traveller is asked to confirm, where the refusal is about a payment: `R$ 489,90: AL4011, São Paulo → Recife`. */
  readonly purchase?: string | undefined;
}

/** Where the traveller has to decide before the same request can succeed. */
interface Awaited {
  readonly id: string;
  readonly url: string;
  readonly message: string;
}

/** The first revision that knows elicitation by address. */
const ELICITS_BY_ADDRESS = '2025-11-25';

/** The result in a form that the client can show its traveller (MCP, URL Mode). @throws ProtocolError `UrlElicitationRequired` */
export const outcomeAsked = (
  { result, refusal, purchase }: Outcome,
  { mcpReq, http }: Pick<ServerContext, 'mcpReq' | 'http'>,
): McpResult | InputRequiredResult => {
  const awaited = refusal && awaitedIn(refusal, purchase);
  if (!awaited) return plain(result);
  const { id, url, message } = awaited;
  if (mcpReq.envelope) {
    // Who answers has been asked already: what the traveller decides is not in the answer.
    if (!canOpen(mcpReq.envelope) || mcpReq.inputResponses) return plain(result);
    return inputRequired({ inputRequests: { decision: inputRequired.elicitUrl({ message, url }) } });
  }
  const revision = http?.req?.headers.get('mcp-protocol-version') ?? '';
  if (revision < ELICITS_BY_ADDRESS) return plain(result);
  // A client that cannot open it shows the message to its model, so the address is there too.
  throw new ProtocolError(ProtocolErrorCode.UrlElicitationRequired, `${message} Endereço: ${url}`, {
    elicitations: [{ mode: 'url', elicitationId: id, url, message }],
    ...result.structuredContent,
  });
};

const plain = ({ content, ...result }: CallToolResult): McpResult => ({ ...result, content: [...content] });

/** Whether a client of 2026-07-28 says that it takes its traveller to addresses. */
const canOpen = (envelope: Readonly<Record<string, unknown>>): boolean =>
  asRecord(asRecord(envelope[CLIENT_CAPABILITIES_META_KEY])['elicitation'])['url'] !== undefined;

const awaitedIn = ({ code, members }: DomainError, purchase = 'o pagamento deste pedido'): Awaited | null => {
  const { challenge, mandate, approval } = (members ?? {}) as Members;
  if (code === 'payment_challenge_required' && challenge) {
    const message = `Confirme ${purchase}. Depois a compra é concluída.`;
    return { id: challenge.id, url: challenge.url, message };
  }
  if (code === 'mandate_pending' && mandate && approval) {
    const message = 'Decida sobre o mandato que este agente pediu; depois a compra pode ser feita.';
    return { id: mandate.id, url: approval.url, message };
  }
  return null;
};

/** Members of refusals that say where a traveller decides. */
interface Members {
  readonly challenge?: { readonly id: string; readonly url: string };
  readonly mandate?: { readonly id: string };
  readonly approval?: { readonly url: string };
}

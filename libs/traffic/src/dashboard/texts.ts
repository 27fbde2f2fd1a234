import { type Instant, millisecondsOf } from '#kernel';
import { OTHER } from '../figures/names.rule.js';

const ZONE = { timeZone: 'America/Sao_Paulo' } as const;
const NUMBER = new Intl.NumberFormat('pt-BR');
const PERCENT = new Intl.NumberFormat('pt-BR', { style: 'percent', maximumFractionDigits: 1 });
const CHANGE = new Intl.NumberFormat('pt-BR', {
  style: 'percent',
  maximumFractionDigits: 0,
  signDisplay: 'exceptZero',
});
const MINUTE = new Intl.DateTimeFormat('pt-BR', { ...ZONE, dateStyle: 'short', timeStyle: 'short' });
const SECOND = new Intl.DateTimeFormat('pt-BR', { ...ZONE, timeStyle: 'medium' });

export const numberText = (value: number): string => NUMBER.format(value);
/** A percentage, or a dash if the whole is zero. */
export const shareText = (part: number, whole: number): string => (whole === 0 ? '–' : PERCENT.format(part / whole));
/** `15/01/2026, 09:00`, in the time of Brasília. */
export const startText = (instant: Instant): string => MINUTE.format(millisecondsOf(instant));
/** `09:00:15`, in the time of Brasília. */
export const timeText = (instant: Instant): string => SECOND.format(millisecondsOf(instant));

/** A latency: `3,2 ms` or `1,5 s`; a dash if there was no call. */
export const latencyText = (milliseconds: number | null): string => {
  if (milliseconds === null) return '–';
  if (milliseconds >= 1_000) return `${NUMBER.format(Number((milliseconds / 1_000).toPrecision(3)))} s`;
  return `${NUMBER.format(Number(milliseconds.toPrecision(3)))} ms`;
};

export const changeText = (now: number, before: number): string =>
  before === 0 ? 'antes 0' : `${CHANGE.format((now - before) / before)} · antes ${NUMBER.format(before)}`;

const OPERATIONS: Readonly<Record<string, string>> = {
  search_flights: 'Buscar voos',
  get_flight: 'Consultar voo',
  quote_fares: 'Comparar tarifas',
  create_booking: 'Criar reserva',
  list_bookings: 'Listar reservas',
  get_booking: 'Consultar reserva',
  change_booking: 'Alterar reserva',
  create_mandate: 'Criar mandato',
  list_mandates: 'Listar mandatos',
  get_mandate: 'Consultar mandato',
  list_mandate_events: 'Consultar extrato do mandato',
  revoke_mandate: 'Revogar mandato',
  place_order: 'Comprar',
  list_orders: 'Listar compras',
  get_order: 'Consultar compra',
  get_receipt: 'Consultar recibo',
  get_receipt_proof: 'Consultar prova do recibo',
  get_ticket: 'Baixar bilhete',
  get_credit_note: 'Consultar nota de crédito',
  quote_cancellation: 'Cotar cancelamento',
  cancel_order: 'Cancelar compra',
  search_catalog: 'Buscar no catálogo',
  lookup_catalog: 'Consultar itens do catálogo',
  get_product: 'Consultar produto',
  create_checkout: 'Montar compra',
  get_checkout: 'Consultar compra montada',
  update_checkout: 'Alterar compra montada',
  complete_checkout: 'Concluir compra montada',
  cancel_checkout: 'Desistir de compra montada',
  list_events: 'Acompanhar eventos',
  manage_webhooks: 'Gerir webhooks',
  call_tool: 'Chamar ferramenta desconhecida',
  mcp_message: 'Mensagem MCP sem ferramenta',
  [OTHER]: 'Outras',
};
export const operationText = (operation: string): string => OPERATIONS[operation] ?? operation;

/** Families by the name that a traveller would know them by. */
const FAMILIES: Readonly<Record<string, string>> = {
  'alcada-pilot': 'Cliente piloto',
  'alcada-site': 'Agente deste navegador',
  'alcada-demo': 'Agente de demonstração',
  openai: 'ChatGPT',
  'chatgpt-user': 'ChatGPT-User',
  'oai-searchbot': 'OAI-SearchBot',
  gptbot: 'GPTBot',
  anthropic: 'Claude',
  'claude-user': 'Claude-User',
  'claude-searchbot': 'Claude-SearchBot',
  claudebot: 'ClaudeBot',
  'perplexity-user': 'Perplexity-User',
  perplexitybot: 'Perplexity',
  'google-extended': 'Google-Extended',
  googleother: 'GoogleOther',
  googlebot: 'Googlebot',
  gemini: 'Gemini',
  bingbot: 'Bingbot',
  copilot: 'Copilot',
  applebot: 'Applebot',
  amazonbot: 'Amazonbot',
  meta: 'Meta',
  mistral: 'Mistral',
  duckassistbot: 'DuckAssistBot',
  duckduckbot: 'DuckDuckBot',
  bytespider: 'Bytespider',
  ccbot: 'CCBot',
  yandexbot: 'YandexBot',
  cohere: 'Cohere',
  langchain: 'LangChain',
  llamaindex: 'LlamaIndex',
  crewai: 'CrewAI',
  autogen: 'AutoGen',
  'mcp-inspector': 'MCP Inspector',
  playwright: 'Playwright',
  'headless-chrome': 'Chrome sem janela',
  python: 'Python',
  node: 'Node.js',
  go: 'Go',
  java: 'Java',
  postman: 'Postman',
  curl: 'curl',
  browser: 'Navegador',
  [OTHER]: 'outras',
};
export const familyText = (family: string): string => FAMILIES[family] ?? family;

const CHANNELS: Readonly<Record<string, string>> = {
  ...{ rest: 'API REST', webmcp: 'WebMCP', mcp: 'MCP' },
  ...{ ucp: 'UCP por REST', ucp_mcp: 'UCP por MCP' },
};
export const channelText = (channel: string): string => CHANNELS[channel] ?? channel;

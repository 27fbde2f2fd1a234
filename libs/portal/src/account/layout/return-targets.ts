import { CONFIRM_IDENTITY, type LoginText, type ReturnTargetKind } from '#identity';
import { html, type Html } from '#site';

/** The tabs and lists of an account, by the id that a form names them with. */
const LISTS: ReadonlyMap<string, string> = new Map([
  ['mandates', '/conta/mandatos'],
  ['orders', '/conta/viagens'],
  ['agents', '/conta/agentes'],
  ['limits', '/conta/limites'],
  ['happened', '/conta/acontecimentos'],
]);

const AGENTS = html`Aqui você acompanha os agentes que autorizou, o que eles podem gastar e o que já compraram.`;
const NOTICES = html`Depois de entrar, você vê os avisos sobre o que agentes fazem em seu nome.`;
const MANDATE = html`Depois de entrar, você vê o extrato deste mandato.`;
const ORDER = html`Depois de entrar, você vê esta compra, com o recibo e o bilhete.`;
const CHALLENGE = html`Um agente pediu a sua confirmação para um pagamento. Depois de entrar, você vê qual é.`;

const ASKED = html`Um agente pediu um mandato em seu nome. Depois de entrar, você vê qual é.`;

/** Where what waits stands on the account's first page. */
const cardPath = (id: string): string => `/conta#espera-${encodeURIComponent(id)}`;

const AGAIN = 'Faz mais de cinco minutos que você entrou.';

/** A page of the account. `action`: what somebody does there in a login of the last five minutes only. */
const target = (path: (id: string) => string, lead: Html, action?: string, heading = 'Entre na sua conta') => ({
  path,
  at: 'site' as const,
  loginText: (_: string, isLoggedIn: boolean): LoginText =>
    isLoggedIn && action !== undefined
      ? {
          heading: CONFIRM_IDENTITY,
          lead: html`${AGAIN} Para ${action}, informe sua senha de novo; nada foi decidido ainda.`,
          isAgain: true,
        }
      : { heading, lead, isAgain: false },
});

/** The travellers' own pages that a login may lead to. */
export const RETURN_TARGETS = {
  challenge: target(
    (id) => `/desafios/${encodeURIComponent(id)}`,
    CHALLENGE,
    'decidir sobre um pagamento',
    'Entre para decidir',
  ),
  /** The decisions in the cards of the first page, to which a login leads back. */
  payment_card: target((id) => cardPath(id), CHALLENGE, 'decidir sobre um pagamento', 'Entre para decidir'),
  /** What a platform of others put together (docs/ucp.md). */
  purchase: target(
    (id) => `/comprar/${encodeURIComponent(id)}`,
    html`Um agente montou uma compra para você. Depois de entrar, você vê qual é e decide.`,
    'decidir sobre uma compra',
    'Entre para decidir',
  ),
  mandate_card: target((id) => cardPath(id), ASKED, 'decidir sobre um mandato', 'Entre para decidir'),
  idle_agents: target(() => '/conta/sem-uso', AGENTS, 'remover agentes'),
  /** One of the account's tabs or lists, or its first page. */
  account: target((id) => LISTS.get(id) ?? '/conta', AGENTS),
  /** An agent's limit, where it stands among the others. */
  agent_cap: target((id) => `/conta/limites#agente-${encodeURIComponent(id)}`, AGENTS, 'mudar o limite de um agente'),
  pause_all: target(() => '/conta/pausa', AGENTS),
  resume_all: target(() => '/conta/pausa', AGENTS, 'retomar todos os agentes'),
  /** The notices, of which a form says only that they were read. */
  notices: target(() => '/conta/avisos', NOTICES),
  notice: target((id) => `/conta/avisos/${encodeURIComponent(id)}`, NOTICES),
  notice_mails: target(() => '/conta/avisos', NOTICES, 'mudar o que você recebe por e-mail'),
  agent: target((id) => `/conta/agentes/${encodeURIComponent(id)}`, AGENTS),
  agent_end: target((id) => `/conta/agentes/${encodeURIComponent(id)}/revogar`, AGENTS, 'revogar um agente'),
  agent_payment: target(
    (id) => `/conta/agentes/${encodeURIComponent(id)}/pagamento`,
    AGENTS,
    'criar ou remover um meio de pagamento',
  ),
  /** The cards and keys for mandates of AP2. */
  wallet: target(() => '/conta/carteira', AGENTS, 'guardar ou remover um cartão'),
  mandate: target((id) => `/conta/mandatos/${encodeURIComponent(id)}`, MANDATE),
  mandate_end: target((id) => `/conta/mandatos/${encodeURIComponent(id)}/revogar`, MANDATE, 'revogar um mandato'),
  mandate_pause: target((id) => `/conta/mandatos/${encodeURIComponent(id)}`, MANDATE, 'pausar ou retomar um mandato'),
  /** A mandate that an agent asked for, and that waits for its holder's decision. */
  mandate_approval: target(
    (id) => `/conta/mandatos/${encodeURIComponent(id)}/decidir`,
    ASKED,
    'decidir sobre um mandato',
    'Entre para decidir',
  ),
  mandate_narrow: target((id) => `/conta/mandatos/${encodeURIComponent(id)}/reduzir`, MANDATE, 'reduzir um mandato'),
  order: target((id) => `/conta/pedidos/${encodeURIComponent(id)}`, ORDER),
  order_cancel: target(
    (id) => `/conta/pedidos/${encodeURIComponent(id)}/cancelar`,
    html`Depois de entrar, você vê quanto volta desta compra antes de cancelar.`,
    'cancelar uma compra',
  ),
} as const satisfies Readonly<Record<string, ReturnTargetKind>>;

export interface ReturnTarget {
  readonly kind: keyof typeof RETURN_TARGETS;
  readonly id: string;
}

export const pathTo = ({ kind, id }: ReturnTarget): string => RETURN_TARGETS[kind].path(id);

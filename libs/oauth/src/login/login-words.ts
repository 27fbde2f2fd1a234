import { html, type Html } from '#site';
import type { ReturnTarget } from './return-target.js';

/** What the login page says on the way to something: `heading` and `lead` to whoever arrives, `again` to who has to show their password once more. */
interface LoginWords {
  readonly heading: string;
  readonly lead: Html;
  /** What they are about to do; null: the login is recent enough for it, however old. */
  readonly again: Html | null;
}

const AGAIN = 'Faz mais de cinco minutos que você entrou.';
const ACCOUNT = 'Entre na sua conta';

const again = (deed: string): Html => html`${AGAIN} Para ${deed}, informe sua senha de novo; nada foi decidido ainda.`;

const own = (lead: Html, deed?: string): LoginWords => ({
  heading: ACCOUNT,
  lead,
  again: deed === undefined ? null : again(deed),
});

const AGENTS = html`Aqui você acompanha os agentes que autorizou, o que eles podem gastar e o que já compraram.`;
const MANDATE = html`Depois de entrar, você vê o extrato deste mandato de pagamento.`;

/** By what somebody logs in for; an agent's request has words of its own, with the agent's name. */
export const LOGIN_WORDS: Readonly<Record<Exclude<ReturnTarget['kind'], 'request'>, LoginWords>> = {
  challenge: {
    heading: 'Entre para decidir',
    lead: html`Um agente pediu a sua confirmação para um pagamento. Depois de entrar, você vê qual é.`,
    again: again('decidir sobre um pagamento'),
  },
  account: own(AGENTS),
  agent_cap: own(AGENTS, 'mudar o limite de um agente'),
  agent_end: own(AGENTS, 'revogar um agente'),
  mandate: own(MANDATE),
  mandate_end: own(MANDATE, 'revogar um mandato'),
  order: own(html`Depois de entrar, você vê este pedido, com o recibo e o bilhete.`),
};

import { type Line, partsOf } from '#events';
import { hiddenFields } from '#identity';
import { fact, type Html, html, moneyText, type Page } from '#site';
import { ACCOUNT, accountPage, countdown, LIMITS, timeOf, type Viewer } from '../layout/account-page.js';
import { pathTo, type ReturnTarget } from '../layout/return-targets.js';
import { citiesText, conditionsFact, journeyText, taxFacts } from '../orders/order-rows.js';
import { cardFields } from './card-fields.js';
import type { Bar, FoundPurchase, Offer, Refusal, Standing } from './purchases.js';

/** A session as what a form is about and a login leads to. */
export const toPurchase = (id: string): ReturnTarget => ({ kind: 'purchase', id });

export interface PurchaseContent extends Viewer {
  readonly found: FoundPurchase;
  /** How it stands: what was made of it, or waits, has a page of its own. */
  readonly standing: Exclude<Standing, { kind: 'bought' | 'challenged' }>;
  /** Why nothing was bought just now; null: nothing was tried, or how it stands says it. */
  readonly refusal: Refusal | null;
}

/** "Comprar esta passagem?": what a platform put together, what it costs, and what the decision lets the platform do. */
export const purchasePage = (content: PurchaseContent): Page => {
  const { standing } = content;
  if (standing.kind === 'open' || standing.kind === 'approved')
    return offerPage(content, standing.offer, standing.kind === 'approved');
  const host = hostOf(content.found);
  const { title, text } = standing.kind === 'barred' ? barWords(standing.bar, host) : ENDS[standing.kind](host);
  const { session, urls, found } = content;
  const isUnderWay = standing.kind === 'under_way';
  return accountPage({
    title,
    session,
    urls,
    isFollowed: isUnderWay,
    isScripted: isUnderWay,
    trail: [ACCOUNT],
    content: html`<h1>${title}</h1>
      <p class="outcome none">${text}</p>
      <dl class="facts">${fact('Compra', found.session.body.line.title)} ${platformFact(found)}</dl>`,
  });
};

const offerPage = (content: PurchaseContent, offer: Offer, isApproved: boolean): Page => {
  const { session, urls, found, refusal } = content;
  const { line } = offer;
  const { id } = found.session;
  const to = toPurchase(id);
  const total = moneyText(line.subtotal);
  const title = isApproved ? 'Concluir esta compra?' : 'Comprar esta passagem?';
  return accountPage({
    title: refusal ? `Nada foi comprado: ${title.toLowerCase()}` : title,
    status: refusal ? 422 : 200,
    session,
    urls,
    isDecision: true,
    isScripted: true,
    content: html`<h1>${title}</h1>
      <p class="lead">
        ${
          isApproved
            ? 'Você aprovou o pagamento. Informe o mesmo cartão para concluir; nada foi cobrado ainda.'
            : html`<strong>${hostOf(found)}</strong> ${platformMark(found)} montou esta compra e espera a sua decisão.
                Nada é cobrado antes dela.`
        }
      </p>
      ${refusal && alert(refusal)}
      <p class="sum">${total}</p>
      <dl class="facts">${facts(content, offer, isApproved)}</dl>
      <form method="post" action="${pathTo(to)}">
        ${hiddenFields(session.id, to)}<input type="hidden" name="shown" value="${offer.shown}" autocomplete="off" />
        ${cardFields(refusal !== null)}
        <div class="choices">
          <button type="submit" name="decision" value="approve">Comprar por ${total}</button>
          ${
            isApproved
              ? html`<a class="button quiet" href="${ACCOUNT.path}">Agora não</a>`
              : html`<button class="quiet" type="submit" name="decision" value="deny" formnovalidate>Recusar</button>`
          }
        </div>
      </form>
      ${!isApproved && html`<p class="small note">Não reconhece esta compra? Recuse: nada é cobrado.</p>`}
      <details class="part">
        <summary>Detalhes</summary>
        <dl class="facts">${details(content, offer)}</dl>
      </details>`,
  });
};

/** What the traveller decides by: it stands above the card. */
const facts = ({ found, now }: PurchaseContent, offer: Offer, isApproved: boolean): readonly Html[] => {
  const { line, buyer, raised, before, expiresAt } = offer;
  const host = hostOf(found);
  const name = [buyer?.first_name, buyer?.last_name].filter(Boolean).join(' ');
  const contact = [buyer?.email, buyer?.phone_number].filter(Boolean).join(' · ');
  return [
    fact('Compra', html`${flightText(line)}<br /><span class="small">${journeyText(line)}</span>`),
    ...(line.passengers > 1 ? [fact('Passageiros', `${line.passengers} × ${moneyText(line.unitPrice)}`)] : []),
    ...(before ? [fact('O preço mudou', `Era ${moneyText(before)} quando ${host} viu a compra.`)] : []),
    conditionsFact(line),
    ...(buyer ? [fact('Em seu nome', [name, contact].filter(Boolean).join(', '))] : []),
    ...(isApproved ? [] : [fact('O que você permite', permission(host, offer))]),
    ...(raised
      ? [
          fact(
            'Limite',
            `O limite total de ${host} passa de ${moneyText(raised.from)} a ${moneyText(raised.to)}, que é o bastante para esta compra.`,
          ),
        ]
      : []),
    fact('Prazo', html`${countdown('', now, expiresAt)}, até ${timeOf(expiresAt)}`),
  ];
};

const details = ({ found }: PurchaseContent, { line, isForOther }: Offer): readonly Html[] => [
  platformFact(found),
  ...taxFacts(partsOf(line.subtotal, line.taxes)),
  ...(isForOther
    ? [fact('Contato', `${hostOf(found)} informou o de alguém que não é esta conta: ele não é mostrado nem usado.`)]
    : []),
];

const flightText = (line: Line): string =>
  `Voo ${line.flightNumber}, ${citiesText(line)} (${line.from}–${line.to}), tarifa ${line.fareName}`;

const permission = (host: string, { line }: Offer): string =>
  `Só esta compra: um mandato de uma única compra, até ${moneyText(line.subtotal)}. Ele termina com ela, e nada mais é gasto por ${host}.`;

/** Who asks. */
const platformFact = (found: FoundPurchase): Html =>
  fact(
    'Plataforma',
    html`<span class="address">${shortAddress(found.session.body.platform)}</span> ${platformMark(found)}`,
  );

/** Anybody may name a platform; one that proved to be it is marked so. */
const platformMark = ({ session }: FoundPurchase): Html =>
  session.body.isProven
    ? html`<span class="mark-on">endereço comprovado</span>`
    : html`<span class="mark-warn">não verificada</span>`;

const hostOf = ({ session }: FoundPurchase): string => new URL(session.body.platform).host;

const shortAddress = (address: string): string => {
  const { host, pathname } = new URL(address);
  return host + (pathname === '/' ? '' : pathname);
};

const alert = (refusal: Refusal): Html =>
  html`<div class="alert" role="alert" id="compra-problema"><p>${refusalText(refusal)}</p></div>`;

const refusalText = (refusal: Refusal): Html | string => {
  switch (refusal.kind) {
    case 'changed':
      return 'A compra mudou enquanto esta página estava aberta, e nada foi comprado. Confira e decida de novo.';
    case 'other_card':
      return html`Nada foi cobrado. <a href="#cartao">Informe o mesmo cartão</a> que você usou antes.`;
    case 'refused':
      return html`Nada foi comprado. ${refusal.text} <a href="#cartao">Tente com outro cartão</a>, ou recuse.`;
  }
};

interface Words {
  readonly title: string;
  readonly text: Html | string;
}

const barWords = (bar: Bar, host: string): Words => {
  const title = 'Não é possível comprar agora';
  switch (bar.kind) {
    case 'agents_paused':
      return {
        title,
        text: html`Você pausou todos os agentes, e nada é comprado por eles.
          <a href="/conta/pausa">Retome tudo na sua conta</a> e volte a esta página.`,
      };
    case 'agent_revoked':
      return { title, text: `Você revogou ${host}, e nada mais é comprado por essa plataforma em seu nome.` };
    case 'cap':
      return {
        title,
        text: html`A compra não cabe no limite de ${moneyText(bar.cap.limit)} que você deu a ${host}: há
          ${moneyText(bar.cap.available)} disponíveis. <a href="${LIMITS.path}">Altere o limite</a> e volte a esta
          página.`,
      };
    case 'problem':
      return { title, text: `${bar.texts.join(' ')} Peça a ${host} que monte a compra de novo.` };
  }
};

type End = 'under_way' | 'elsewhere' | 'refused' | 'canceled' | 'expired';

const ENDS: Readonly<Record<End, (host: string) => Words>> = {
  under_way: () => ({
    title: 'Compra em andamento',
    text: 'A compra está sendo feita. Esta página mostra quando ela termina.',
  }),
  elsewhere: () => ({
    title: 'Esta compra não é sua',
    text: 'Ela é de outra pessoa. Nada foi cobrado de você.',
  }),
  refused: (host) => ({ title: 'Compra recusada', text: `Você recusou. Nada foi cobrado, e ${host} fica sabendo.` }),
  canceled: (host) => ({ title: 'Compra cancelada', text: `${host} desistiu desta compra. Nada foi cobrado.` }),
  expired: (host) => ({
    title: 'O prazo acabou',
    text: `Nada foi cobrado. Peça a ${host} que monte a compra de novo.`,
  }),
};

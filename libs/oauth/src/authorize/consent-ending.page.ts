import type { BaseUrls } from '#http';
import { formTarget, html, type Html, moneyText, page, type Page } from '#site';
import type { Money } from '#kernel';
import { travellersName } from '../clients/client-name.js';
import type { Client } from '../clients/clients.js';
import { approveText, type AtMost, atMostText, shownField } from './at-most.js';
import { capEntry } from './cap-field.js';
import { consentPath } from './consent-target.js';
import { hiddenEntries, type MandateEntry } from './mandate-fields.js';

interface EndingPageContent {
  readonly requestId: string;
  readonly hidden: Html;
  readonly client: Client;
  readonly redirectUri: string;
  readonly consequences: CapConsequences;
  /** What the agent could spend at most once it is confirmed. */
  readonly atMost: AtMost;
  readonly entries: readonly MandateEntry[];
  readonly urls: BaseUrls;
}

/** "Autorizar com este limite?": which mandates end, before anything is decided. */
export const endingPage = ({
  requestId,
  hidden,
  client,
  redirectUri,
  consequences,
  atMost,
  entries,
  urls,
}: EndingPageContent): Page => ({
  status: 200,
  formTargets: [formTarget(redirectUri)],
  html: page({
    title: 'Autorizar com este limite?',
    host: new URL(urls.auth).host,
    isDecision: true,
    content: html`<h1>Autorizar com este limite?</h1>
      <p class="lead">
        <strong>${travellersName(client, new URL(redirectUri).host)}</strong>
        ${client.pilot && html`<span class="badge">cliente piloto de testes</span>`}
      </p>
      ${capConsequences(consequences)}
      <form method="post" action="/oauth/consent">
        ${hidden} <input type="hidden" name="cap" value="${capEntry(consequences.cap)}" /> ${CONFIRMED}
        ${hiddenEntries(entries)}
        <div class="choices">
          ${shownField(atMost)} ${atMostText(atMost)}
          <button class="danger" type="submit" name="decision" value="approve">${approveText(atMost)}</button>
          <a class="button quiet" href="${consentPath(requestId)}">Voltar sem decidir</a>
        </div>
      </form>`,
  }),
});

/** A cap under which open mandates would end (docs/consistency.md, rule 28), and their limits, oldest first. */
export interface CapConsequences {
  readonly cap: Money;
  readonly ended: readonly Money[];
}

/** The hidden field of a form whose page said what will end. */
export const CONFIRMED = html`<input type="hidden" name="confirm" value="ending" />`;

/** Mandates named one by one; the rest are counted. */
const NAMED = 10;

export const capConsequences = ({ cap, ended }: CapConsequences): Html =>
  html`<p>
      ${ended.length === 1 ? 'Um mandato aberto não cabe' : `${ended.length} mandatos abertos não cabem`} no limite de
      <strong>${moneyText(cap)}</strong>, e ${ended.length === 1 ? 'termina' : 'terminam'} se você confirmar:
    </p>
    <ul class="effects">
      ${ended.slice(0, NAMED).map((limit) => html`<li>Mandato com teto de ${moneyText(limit)}</li>`)}
      ${ended.length > NAMED && html`<li>E mais ${ended.length - NAMED}</li>`}
    </ul>
    <p class="small note">
      Nada mais é cobrado deles, e as compras em andamento param sem cobrança. O que já foi pago continua valendo e
      conta no limite. Ficam os mandatos mais antigos que couberem, também entre os que o agente abrir até você
      confirmar.
    </p>`;

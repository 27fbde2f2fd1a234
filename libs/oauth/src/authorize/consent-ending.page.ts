import type { BaseUrls } from '#http';
import { formTarget, html, type Html, page, type Page } from '#site';
import { travellersName } from '../clients/client-name.js';
import type { Client } from '../clients/clients.js';
import { type AtMost, atMostText } from './at-most.js';
import { type CapConsequences, capConsequences, CONFIRMED } from './cap-consequences.js';
import { capEntry } from './cap-field.js';
import { hiddenEntries, type MandateEntry } from './mandate-fields.js';

/** The path of the consent page of a stored authorization request, to which a login may lead. */
export const consentPath = (requestId: string): string => `/oauth/consent/${encodeURIComponent(requestId)}`;

/** What the page before a consent shows whose cap ends open mandates. */
interface EndingPageContent {
  readonly requestId: string;
  readonly hidden: Html;
  readonly client: Client;
  readonly redirectUri: string;
  readonly consequences: CapConsequences;
  /** What the agent could spend at most once it is confirmed. */
  readonly atMost: AtMost;
  /** What the traveller grants of each mandate that is asked for. */
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
          ${atMostText(atMost)}
          <button class="danger" type="submit" name="decision" value="approve">Autorizar com este limite</button>
          <a class="button quiet" href="${consentPath(requestId)}">Voltar sem decidir</a>
        </div>
      </form>`,
  }),
});

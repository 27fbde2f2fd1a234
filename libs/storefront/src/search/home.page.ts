import type { BaseUrls } from '#http';
import { html, type Page } from '#site';
import { agentPanel } from '#webmcp';
import { type Airports, airportText } from '../airports.js';
import { storefrontPage } from '../storefront.page.js';
import { foundFlights, type FoundFlights } from './found-flights.js';
import { isNarrow, searchForm, type SearchRequest } from './search-form.js';

const TITLE = 'Alçada: voos que o seu agente compra, até o teto que você deu';
const DESCRIPTION =
  'Agentes autônomos buscam, reservam e compram voos em seu nome, nunca acima da alçada que você concedeu. Veja voos, tarifas e assentos.';

/** What we are, the search, what it found, and how agents buy here. */
export const homePage = (found: FoundFlights, urls: BaseUrls): Page =>
  isNarrow(found.search) ? resultsPage(found, urls) : frontPage(found, urls);

const frontPage = (found: FoundFlights, urls: BaseUrls): Page =>
  storefrontPage({
    urls,
    title: TITLE,
    description: DESCRIPTION,
    // The further pages of the list are no pages to arrive at.
    path: found.search.cursor === undefined ? '/' : null,
    structuredData: siteData(urls),
    content: html`<div class="hero">
        <div class="within">
          <h1>Voos que o seu agente compra, <span class="mild">até o teto que você deu.</span></h1>
          <p class="lead">
            Você concede a alçada: quanto, por quanto tempo, para quê. O agente escolhe, reserva e paga dentro dela, e
            nem um centavo além.
          </p>
          ${searchForm(found.search, found.airports)}
        </div>
      </div>
      ${foundFlights(found)} ${HOW_IT_WORKS}
      <div class="within band">${agentPanel(urls)}</div>`,
  });

const resultsPage = (found: FoundFlights, urls: BaseUrls): Page => {
  const what = searchText(found.search, found.airports);
  return storefrontPage({
    urls,
    title: `Voos ${what} · Alçada`,
    description: `Voos ${what}: horários, assentos e tarifas.`,
    path: null,
    content: html`<div class="hero narrow">
        <div class="within">
          <h1>Voos ${what}</h1>
          ${searchForm(found.search, found.airports)}
        </div>
      </div>
      ${foundFlights(found)}
      <div class="within band">${agentPanel(urls)}</div>`,
  });
};

/** What was searched for, in words: `de São Paulo (GRU) para Recife (REC)`. */
const searchText = ({ from, to, q }: SearchRequest, { named }: Airports): string =>
  [from && `de ${airportText(named(from))}`, to && `para ${airportText(named(to))}`, q && `com “${q}”`]
    .filter(Boolean)
    .join(' ');

/** The site with its search (schema.org WebSite). */
const siteData = ({ site }: BaseUrls): object => ({
  '@context': 'https://schema.org',
  '@type': 'WebSite',
  name: 'Alçada',
  url: `${site}/`,
  inLanguage: 'pt-BR',
  potentialAction: {
    '@type': 'SearchAction',
    target: { '@type': 'EntryPoint', urlTemplate: `${site}/?q={search_term_string}` },
    'query-input': 'required name=search_term_string',
  },
});

/** What an agent may do and what keeps it there, in three steps. */
const HOW_IT_WORKS = html`<section class="within band" aria-labelledby="como-titulo">
  <h2 id="como-titulo">Como funciona</h2>
  <ol class="ways" role="list">
    <li>
      <h3>Você autoriza</h3>
      <p>Na página de autorização você vê o que o agente pede e, se quiser, limita quanto ele pode gastar ao todo.</p>
    </li>
    <li>
      <h3>O agente escolhe e reserva</h3>
      <p>
        Ele compara tarifas no orçamento, cria a reserva e abre um mandato: um teto de valor, com prazo para acabar.
      </p>
    </li>
    <li>
      <h3>O mandato decide</h3>
      <p>
        Toda cobrança passa pelo mandato antes de chegar ao cartão. Acima do teto, nada é cobrado. Revogar vale na hora.
      </p>
    </li>
  </ol>
</section>`;

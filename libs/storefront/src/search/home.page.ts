import type { BaseUrls } from '#http';
import { html, type Page } from '#site';
import { agentPanel } from '#webmcp';
import { type Airports, airportText } from '../airports.js';
import { shopPage } from '../shop.page.js';
import { foundFlights, type FoundFlights } from './found-flights.js';
import { howItWorks } from './how-it-works.js';
import { isNarrow, type SearchAsked } from './search-asked.js';
import { searchForm } from './search-form.js';

const TITLE = 'Alçada: voos que o seu agente compra, até o teto que você deu';
const DESCRIPTION =
  'Agentes autônomos buscam, reservam e compram voos em seu nome, nunca acima da alçada que você concedeu. Veja voos, tarifas e assentos.';

/** What we are, the search, what it found, and how agents buy here. */
export const homePage = (found: FoundFlights, urls: BaseUrls): Page =>
  isNarrow(found.asked) ? resultsPage(found, urls) : frontPage(found, urls);

const frontPage = (found: FoundFlights, urls: BaseUrls): Page =>
  shopPage({
    urls,
    title: TITLE,
    description: DESCRIPTION,
    // The further pages of the list are no pages to arrive at.
    path: found.asked.cursor === undefined ? '/' : null,
    structuredData: siteData(urls),
    content: html`<div class="hero">
        <div class="within">
          <h1>Voos que o seu agente compra, <span class="mild">até o teto que você deu.</span></h1>
          <p class="lead">
            Você concede a alçada: quanto, por quanto tempo, para quê. O agente escolhe, reserva e paga dentro dela, e
            nem um centavo além.
          </p>
          ${searchForm(found.asked, found.airports)}
        </div>
      </div>
      ${foundFlights(found)} ${howItWorks}
      <div class="within band">${agentPanel(urls)}</div>`,
  });

const resultsPage = (found: FoundFlights, urls: BaseUrls): Page => {
  const what = searchText(found.asked, found.airports);
  return shopPage({
    urls,
    title: `Voos ${what} · Alçada`,
    description: `Voos ${what}: horários, assentos e tarifas.`,
    path: null,
    content: html`<div class="hero narrow">
        <div class="within">
          <h1>Voos ${what}</h1>
          ${searchForm(found.asked, found.airports)}
        </div>
      </div>
      ${foundFlights(found)}
      <div class="within band">${agentPanel(urls)}</div>`,
  });
};

/** What was searched for, in words: `de São Paulo (GRU) para Recife (REC)`. */
const searchText = ({ from, to, q }: SearchAsked, { named }: Airports): string =>
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

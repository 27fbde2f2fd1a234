import type { FlightView, Route, RoutesOnSale } from '#catalog';
import type { BaseUrls } from '#http';
import { COPY_SCRIPT, html, type Html, moneyText, type Page, trail } from '#site';
import { agentPanel, connectPanel } from '#agent-tools';
import type { AccountRegistration } from '#identity';
import { money } from '#kernel';
import { startButton } from '../demonstration/demonstration.page.js';
import { type Airports, airportText } from '../airports.js';
import { storefrontPage } from '../storefront.page.js';
import { foundFlights, type SearchResult } from './found-flights.js';
import { isNarrow, pathOf, searchForm, type SearchRequest } from './search-form.js';
import { cheapestOf, dateText, priceText } from '../words.js';

const TITLE = 'Alçada: voos que o seu agente compra, até o limite que você definiu';
const DESCRIPTION =
  'Agentes autônomos buscam, reservam e compram voos em seu nome, nunca acima da alçada que você concedeu. Veja voos, tarifas e assentos.';

interface Home extends Pick<SearchResult, 'search' | 'airports' | 'days'> {
  readonly onSale: RoutesOnSale<FlightView>;
  /** Whether an agent may come by itself. */
  readonly admitsAnyClient: boolean;
}

export const homePage = (
  { search, onSale, airports, days, admitsAnyClient }: Home,
  urls: BaseUrls,
  shown: AccountRegistration | null,
): Page =>
  storefrontPage({
    urls,
    shown,
    title: TITLE,
    description: DESCRIPTION,
    path: '/',
    structuredData: siteData(urls),
    module: COPY_SCRIPT,
    content: html`<div class="hero">
        <div class="within">
          <div class="idea">
            <div>
              <h1>Voos que o seu agente compra, <span class="mild">até o limite que você definiu.</span></h1>
              <p class="lead">
                Você concede a alçada: quanto, por quanto tempo, para quê. O agente escolhe, reserva e paga dentro dela,
                e nem um centavo além.
              </p>
              ${
                shown
                  ? html`<div class="actions">${startButton('Ver um agente comprar')}</div>`
                  : html`<p class="actions"><a class="button" href="#agente">Conecte o seu agente</a></p>`
              }
            </div>
            ${EXAMPLE_MANDATE}
          </div>
          ${searchForm(search, airports, days)}
        </div>
      </div>
      ${HOW_IT_WORKS} ${someRoutes(onSale)}
      <div class="within band">${connectPanel(urls, admitsAnyClient)}</div>`,
  });

export const resultsPage = (result: SearchResult, urls: BaseUrls, shown: AccountRegistration | null): Page => {
  const { search, airports, days } = result;
  const isAll = !isNarrow(search);
  const what = isAll ? 'Voos à venda' : searchText(search, airports);
  return storefrontPage({
    urls,
    shown,
    title: `${what} · Alçada`,
    description: `${what}: horários, assentos e tarifas.`,
    // The further pages of the list, and other orders of it, are no pages to arrive at.
    path: isAll && search.cursor === undefined && search.sort === 'departure' ? '/voos' : null,
    content: html`<div class="hero narrow">
        <div class="within">
          ${trail([{ path: '/', name: 'Início' }, ...(isAll ? [] : [{ path: '/voos', name: 'Voos' }])])}
          <h1>${what}</h1>
          ${searchForm(search, airports, days)}
        </div>
      </div>
      ${foundFlights(result)}
      <div class="within band">${agentPanel(urls)}</div>`,
  });
};

/** What was searched for, in words: `Voos de São Paulo (GRU) para Recife`. */
const searchText = ({ from, to, q, date }: SearchRequest, { all, named }: Airports): string => {
  const on = date === undefined ? '' : ` em ${dateText(date)}`;
  if (from === '' && to === '') return q === '' ? `Voos${on}` : `Resultados para “${q}”${on}`;
  const place = (text: string): string => {
    const airport = named(text.toUpperCase());
    if (airport.city !== airport.code) return airportText(airport);
    return all.find(({ city }) => isSameWord(city, text))?.city ?? text;
  };
  const parts = [from && `de ${place(from)}`, to && `para ${place(to)}`, q && `com “${q}”`];
  return `Voos ${parts.filter(Boolean).join(' ')}${on}`;
};

const isSameWord = (one: string, other: string): boolean =>
  one.localeCompare(other.trim(), 'pt-BR', { sensitivity: 'base' }) === 0;

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
        Ele compara tarifas dentro do orçamento, cria a reserva e abre um mandato: um teto de valor, com prazo para
        acabar.
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

const reais = (cents: number): string => moneyText(money(cents, 'BRL'));

/** The idea at a glance: a mandate, what it paid for, and what it refused. Its bar is as long as the amounts say (styles/public.css). */
export const EXAMPLE_MANDATE: Html = html`<figure class="example" aria-labelledby="exemplo-titulo">
  <figcaption id="exemplo-titulo">Um mandato, por exemplo</figcaption>
  <p class="purpose">Congresso em Recife <span class="mark-on">válido por 2 h</span></p>
  <p class="sum">${reais(1_500_00)} <span class="small">de teto</span></p>
  <p class="bar" aria-hidden="true"><span></span></p>
  <p class="rest small"><span>${reais(579_90)} gastos</span> <span>${reais(920_10)} disponíveis</span></p>
  <ul role="list">
    <li class="paid">
      <span>São Paulo → Recife</span> <strong class="whole">${reais(579_90)}</strong>
      <span class="small">Pago, bilhete emitido</span>
    </li>
    <li class="refused">
      <span>São Paulo → Lisboa</span> <strong class="whole">${reais(3_249_90)}</strong>
      <span class="small">Recusado: passa do teto. Nada foi cobrado.</span>
    </li>
  </ul>
</figure>`;

export const someRoutes = ({ count, routes }: RoutesOnSale<FlightView>): Html =>
  html`<section class="within band" id="voos" aria-labelledby="voos-titulo">
    <div class="band-head">
      <h2 id="voos-titulo">Rotas com mais voos</h2>
      <p><a href="/voos">${count === 1 ? 'Ver o voo à venda' : `Ver os ${count} voos à venda`}</a></p>
    </div>
    <ul class="routes" role="list">
      ${routes.map(routeCard)}
    </ul>
  </section>`;

const routeCard = ({ from, to, count, cheapest }: Route<FlightView>): Html => {
  const fare = cheapestOf(cheapest);
  return html`<li>
    <a href="${pathOf({ from, to, sort: 'price' })}">
      <span class="journey"
        >${from} <span class="arrow" aria-hidden="true">→</span><span class="visually-hidden"> para </span> ${to}</span
      >
      <span class="small"
        >${count === 1 ? '1 voo' : `${count} voos`}${fare && html`, a partir de <strong class="whole">${priceText(fare, cheapest)}</strong>`}</span
      >
    </a>
  </li>`;
};

import { citiesByAirport } from '#catalog';
import type { BaseUrls } from '#http';
import { ERROR_CODES, isId } from '#kernel';
import { reasonWords } from '#mandate';
import { assetLink, html, type Html, type Page, publicPage } from '#site';
import type { RefusalNames } from './refusal-text.js';
import { VERIFICATION_SCRIPT, VERIFICATION_STYLES } from './modules.js';

const DESCRIPTION =
  'Confira no seu próprio navegador um histórico ou uma prova de pagamento da Alçada. Nada é enviado: a conta é feita no seu aparelho.';

/** What the page calls what a refusal names; reasons of a mandate alone, since no other one refuses a charge. */
export const REFUSAL_NAMES: RefusalNames = {
  cities: citiesByAirport(),
  reasons: Object.fromEntries(
    ERROR_CODES.filter((code) => code.startsWith('mandate_')).map((code) => [code, reasonWords(code)]),
  ),
};

const LEAD = html`<h1>Verificar um histórico</h1>
  <p class="lead">
    Confira aqui o histórico de um mandato ou de um pedido, ou a prova de um pagamento. A conta é feita pelo seu
    navegador: <strong>nada é enviado</strong>, e esta página funciona sem rede depois de aberta.
  </p>
  <noscript>
    <p class="alert">
      Quem faz a conta é o seu navegador, e para isso esta página precisa de JavaScript. Sem ele, use
      <code>alcada audit verify --bundle</code>.
    </p>
  </noscript>`;

const ownLead = ({ name, path }: OwnHistory): Html =>
  html`<p class="small"><a href="${path}">Voltar ${name === 'mandato' ? 'ao mandato' : 'à compra'}</a></p>
    <h1>Conferir ${name === 'mandato' ? 'este mandato' : 'esta compra'}</h1>
    <p class="lead" data-own="${path}/historico.jsonl">
      O seu navegador busca o histórico e a chave neste site, e faz a conta sozinho: nada do que confere é enviado.
    </p>
    <noscript>
      <p class="alert">
        Quem faz a conta é o seu navegador, e para isso esta página precisa de JavaScript. Sem ele,
        <a href="${path}/historico.jsonl">baixe o histórico</a> e use <code>alcada audit verify --bundle</code>.
      </p>
    </noscript>`;

const formOf = (own: OwnHistory | null): Html =>
  html`<form class="check" data-form hidden>
    <div class="field">
      <label for="chave">Chave do registro</label>
      <textarea
        id="chave"
        name="key"
        rows="2"
        required
        spellcheck="false"
        autocomplete="off"
        aria-describedby="chave-ajuda"
      ></textarea>
      <p class="small" id="chave-ajuda">
        Uma linha como <code>exemplo.com/tlog+1a2b3c4d+A…</code>, de uma fonte em que você confia. Ela nunca vem do
        arquivo. A que este site publica está em <a href="/tlog/key">/tlog/key</a>; compare-a com a que alguém guardou
        fora daqui.
      </p>
    </div>
    <div class="field drop" data-drop>
      <label for="arquivo">Histórico (<code>.jsonl</code>) ou prova (<code>.tlog-proof</code>)</label>
      <input id="arquivo" name="file" type="file" ${!own && html`required`} aria-describedby="arquivo-ajuda" />
      <p class="small" id="arquivo-ajuda">
        ${own ? 'Sem arquivo, confere o histórico que este site mostra.' : 'Escolha o arquivo, ou solte-o aqui.'}
      </p>
    </div>
    <details>
      <summary>Exigir testemunhas</summary>
      <div class="field">
        <label for="politica">Política</label>
        <textarea
          id="politica"
          name="policy"
          rows="4"
          spellcheck="false"
          autocomplete="off"
          aria-describedby="politica-ajuda"
        ></textarea>
        <p class="small" id="politica-ajuda">
          Quais testemunhas precisam ter visto o registro, no formato
          <a href="https://c2sp.org/tlog-policy" rel="noreferrer">c2sp.org/tlog-policy</a>. A chave do registro é a de
          cima.
        </p>
      </div>
    </details>
    <p class="actions"><button type="submit">Verificar</button></p>
  </form>`;

const REPORT = html`<section
  class="verdict"
  data-report
  data-names="${JSON.stringify(REFUSAL_NAMES)}"
  tabindex="-1"
  aria-live="polite"
  aria-label="Resultado"
  hidden
></section>`;

/** What a traveller verifies of their own with one press: its history is where their account has it. */
export interface OwnHistory {
  readonly name: 'mandato' | 'pedido';
  /** Where its page is; its history is below that. */
  readonly path: string;
}

/** The history that an address names; null: none. */
export const ownHistoryIn = ({ mandato, pedido }: Readonly<Record<string, unknown>>): OwnHistory | null => {
  if (typeof mandato === 'string' && isId(mandato)) return { name: 'mandato', path: `/conta/mandatos/${mandato}` };
  if (typeof pedido === 'string' && isId(pedido)) return { name: 'pedido', path: `/conta/pedidos/${pedido}` };
  return null;
};

/**
 * The page on which anybody verifies a bundle or a proof. Its script calls nobody, and its policy forbids it to;
 * but where it verifies what a traveller has in their account, it asks this site for the history and for the site's key.
 */
export const verificationPage = ({ site }: BaseUrls, own: OwnHistory | null): Page => ({
  status: 200,
  ...(own ? { scriptTargets: [] } : { isPublic: true, scriptTargets: 'none' as const }),
  html: publicPage({
    title: 'Verificar um histórico · Alçada',
    description: DESCRIPTION,
    path: '/verificar',
    siteUrl: site,
    stylesheet: assetLink('verificar.css', VERIFICATION_STYLES),
    module: VERIFICATION_SCRIPT,
    content: html`<div class="within band verification">
      ${own ? ownLead(own) : LEAD} ${own && REPORT}
      ${
        own
          ? html`<details>
              <summary>Usar outra chave ou outro arquivo</summary>
              ${formOf(own)}
            </details>`
          : formOf(null)
      }
      ${!own && REPORT}
      <section class="part" aria-labelledby="confianca">
        <h2 id="confianca">No que você ainda confia</h2>
        <p>
          Esta página vem de quem opera o serviço. Quem não confia nele pode usar uma cópia guardada do programa, ou
          escrever o seu: o formato e as regras cabem em quatro páginas, em
          <code>docs/audit-format.md</code>, com exemplos ao lado.
        </p>
      </section>
    </div>`,
  }),
});

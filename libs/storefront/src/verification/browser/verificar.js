/** Verifies a bundle or a proof where it is: nothing of it leaves this page, whose policy forbids any connection. */
import { sha256 } from '../../../../../node_modules/@noble/hashes/sha2.js';
import {
  breachText,
  parsePolicy,
  parseVerifierKey,
  verifyBundle,
  verifyProvenEvent,
} from '../../../../verifier/src/index.js';
import { refusalText } from '../refusal-text.js';
import { ticketText } from '../ticket-text.js';
import { APPLIED, EVENTS, PROVEN, SIGNED_BY_SITE, STATUSES, SUBJECTS, UNPROVEN } from './words.js';

const verifyEd25519 = async (publicKey, message, signature) => {
  const key = await crypto.subtle.importKey('raw', publicKey, { name: 'Ed25519' }, false, ['verify']);
  return crypto.subtle.verify({ name: 'Ed25519' }, key, signature, message);
};

const form = document.querySelector('[data-form]');
const drop = document.querySelector('[data-drop]');
const report = document.querySelector('[data-report]');
const { key: keyField, file: fileField, policy: policyField } = form.elements;

const names = JSON.parse(report.dataset.names);

/** Where this site has the history that the page was opened for; undefined: its reader brings one. */
const own = document.querySelector('[data-own]')?.dataset.own;
/** What the site answered for it: its bytes, and its own key. */
let fetched;

/** The largest file that is read: all of it is held in memory, and a page has little. */
const LARGEST = 100_000_000;

/** An element with what stands in it: texts stay texts. */
const element = (name, { of = {}, ...properties } = {}, ...content) => {
  const made = Object.assign(document.createElement(name), properties);
  for (const [attribute, value] of Object.entries(of)) made.setAttribute(attribute, value);
  made.append(...content);
  return made;
};

/** Something is wrong with a field, which then says so. */
class Unusable extends Error {
  constructor(field, message) {
    super(message);
    this.field = field;
  }
}

const keysIn = (text) => {
  const lines = text.split('\n').flatMap((line) => line.trim() || []);
  if (lines.length === 0) throw new Unusable(keyField, 'Informe a chave do registro.');
  return lines.map((line) => {
    try {
      return parseVerifierKey(line, sha256);
    } catch {
      throw new Unusable(keyField, 'Esta não é uma chave de registro: confira se a linha foi copiada por inteiro.');
    }
  });
};

const policyIn = (text, keys) => {
  const logs = keys.map((key) => ({ key, url: null }));
  if (text.trim() === '') return { logs, witnesses: [], groups: [], quorum: 'none' };
  try {
    return { ...parsePolicy(text, sha256), logs };
  } catch {
    throw new Unusable(policyField, 'A política não segue o formato C2SP tlog-policy.');
  }
};

/** The ticket whose QR code led here. */
const [, ticket] = /^#(\d{13})$/.exec(globalThis.location.hash) ?? [];

/** What a bundle, or a proof, has of refusals, payments and cancellations, as far as it can be read; the report has less of them. */
const eventsIn = (bytes) => {
  const lines = new TextDecoder().decode(bytes).split('\n');
  return lines.flatMap((line) => {
    if (!/^extra |"(MandateChargeRefused|OrderPaid|OrderCancel\w+|OrderRefundFailed)"/.test(line)) return [];
    try {
      const [, extra] = /^extra (\S+)$/.exec(line) ?? [];
      const text = extra && Uint8Array.from(globalThis.atob(extra), (character) => character.charCodeAt(0));
      return [JSON.parse(text ? new TextDecoder().decode(text) : line)];
    } catch {
      return []; // no event, which the report says
    }
  });
};

const placeOf = (stream, revision) => `${stream} ${revision}`;

/** What the refusals of a bundle say, by where they stand; the report has their reasons alone. */
const refusedIn = (events) =>
  new Map(
    events.flatMap(({ stream, revision, type, data }) =>
      type === 'MandateChargeRefused' ? [[placeOf(stream, revision), data]] : [],
    ),
  );

const PROOF = Array.from('c2sp.org/tlog-proof', (character) => character.charCodeAt(0));
const isProof = (bytes) => PROOF.every((byte, at) => byte === bytes[at]);

const verify = async () => {
  const policy = policyIn(policyField.value, keysIn(keyField.value));
  const file = fileField.files[0] ?? fetched?.file;
  if (!file) throw new Unusable(fileField, 'Escolha o arquivo.');
  if (!globalThis.crypto?.subtle)
    throw new Unusable(fileField, 'Abra esta página por https: sem isso o navegador não confere assinaturas.');
  if (file.size > LARGEST)
    throw new Unusable(
      fileField,
      'O arquivo tem mais de 100 MB, e esta página não lê tanto. Use alcada audit verify --bundle.',
    );
  const bytes = new Uint8Array(await file.arrayBuffer());
  const trust = { crypto: { sha256, verifyEd25519 }, policy };
  try {
    const found = await (isProof(bytes) ? verifyProvenEvent(bytes, trust) : verifyBundle([bytes], trust));
    const events = eventsIn(bytes);
    const ofTicket = ticket && ticketText(ticket, events, isProof(bytes), timeText);
    return { found, refused: refusedIn(events), ofTicket };
  } catch (error) {
    if (error.name === 'NotSupportedError')
      throw new Unusable(fileField, 'Este navegador não confere assinaturas Ed25519. Use uma versão mais nova.');
    throw error;
  }
};

const money = (cents, currency) => new Intl.NumberFormat('pt-BR', { style: 'currency', currency }).format(cents / 100);

/** An amount for people; whatever else stands in its place, as it stands there. */
const amountText = ({ amount, currency }) => {
  try {
    return money(amount, currency);
  } catch {
    return `${amount} ${currency}`;
  }
};

const timeText = (instant) => {
  const time = new Date(instant);
  if (Number.isNaN(time.getTime())) return instant;
  return time.toLocaleString('pt-BR', { dateStyle: 'short', timeStyle: 'medium', timeZone: 'America/Sao_Paulo' });
};

const fact = (term, ...detail) => element('div', {}, element('dt', {}, term), element('dd', {}, ...detail));

const listOf = (className, texts) =>
  element('ul', { className }, ...texts.map((text) => element('li', {}, ...[text].flat())));

/** What the rules were applied to, such as "12 eventos de 1 mandato, 2 pedidos". */
const appliedText = ({ events, ...kinds }) => {
  const counted = (number, [one, several]) => `${number} ${number === 1 ? one : several}`;
  const parts = Object.entries(APPLIED).flatMap(([kind, names]) =>
    kinds[kind] > 0 ? counted(kinds[kind], names) : [],
  );
  return events === 0
    ? 'nenhuma: o arquivo não traz nenhum histórico desde o início'
    : `${counted(events, ['evento', 'eventos'])} de ${parts.join(', ')}`;
};

/** Whose key it was: a site that vouches for itself proves less. */
const isSitesKey = () => fetched !== undefined && keyField.value.trim() === fetched.key;

const keyFact = () => {
  const isOwn = isSitesKey();
  return fact(
    'Chave usada',
    isOwn ? 'A deste próprio site' : 'A que você informou',
    ...(isOwn
      ? [
          element(
            'span',
            { className: 'small' },
            'O resultado mostra que o histórico confere com o registro que este site publica. Para não depender da palavra dele, confira de novo, abaixo, com a chave que alguém guardou fora daqui. ',
            element('code', {}, fetched.key),
          ),
        ]
      : []),
  );
};

const factsOf = ({ about, checkpoint, events, streams, applied }, ofTicket) => {
  const [subject] = Object.entries(about ?? {});
  return element(
    'dl',
    { className: 'facts' },
    subject ? fact(SUBJECTS[subject[0]], element('code', {}, subject[1])) : fact('Arquivo', 'Prova de um evento'),
    fact(
      'Traz',
      `${events} ${events === 1 ? 'evento' : 'eventos'} de ${streams.length} ${streams.length === 1 ? 'histórico' : 'históricos'}`,
    ),
    ...(own ? [keyFact()] : []),
    ...(ticket ? [fact(`Bilhete ${ticket}`, ofTicket)] : []),
    fact('Regras aplicadas a', appliedText(applied)),
    ...(checkpoint
      ? [
          fact('Registro', checkpoint.origin),
          fact(
            'Ponto de controle',
            `${checkpoint.size.toLocaleString('pt-BR')} entradas, raiz `,
            element('code', {}, checkpoint.root),
          ),
          ...(checkpoint.witnesses.length > 0 ? [fact('Testemunhas', checkpoint.witnesses.join(', '))] : []),
        ]
      : []),
  );
};

/** A breach in the words of this page; those of the report are English, as its format says. */
const breachOf = ({ rule, stream, revision }) => {
  const where = [stream, ...(revision === null ? [] : [`evento ${revision}`]), `regra ${rule}`].join(' · ');
  return [breachText(rule), element('span', { className: 'small' }, where)];
};

const COLUMNS = ['Quando', 'O que houve', 'Valor', 'Separado', 'Cobrado', 'Disponível', 'Situação'];
const isNumber = (place) => place > 1 && place < 6;

const mandateOf = ({ stream, steps }, refused) =>
  element(
    'div',
    {
      className: 'scrolls',
      tabIndex: 0,
      of: { role: 'region', 'aria-label': `Mandato ${stream.slice('mandate-'.length)}` },
    },
    element(
      'table',
      {},
      element('caption', {}, element('code', {}, stream)),
      element(
        'thead',
        {},
        element(
          'tr',
          {},
          ...COLUMNS.map((name, place) =>
            element('th', { className: isNumber(place) ? 'number' : '', of: { scope: 'col' } }, name),
          ),
        ),
      ),
      element('tbody', {}, ...steps.map((step) => rowOf(step, refused.get(placeOf(stream, step.revision))))),
    ),
  );

const rowOf = ({ type, at, orderId, amount, limit, consumed, reserved, remaining, status, refusal }, refused) => {
  const cents = (value) => amountText({ amount: value, currency: limit.currency });
  const why = refusal && refusalText(refused ?? { reason: refusal }, names);
  const more = [why, orderId && `compra ${orderId.slice(0, 8)}`].filter(Boolean);
  const happened = [EVENTS[type] ?? type, ...more.map((text) => element('span', { className: 'small' }, text))];
  const cells = [
    timeText(at),
    element('span', {}, ...happened),
    amount ? amountText(amount) : '',
    cents(reserved),
    cents(consumed),
    cents(remaining),
    STATUSES[status] ?? status,
  ];
  const cellOf = (content, place) =>
    element(
      'td',
      { className: isNumber(place) ? 'number' : '', of: { 'data-name': COLUMNS[place] } },
      ...(content ? [content] : []),
    );
  return element('tr', {}, ...cells.map(cellOf));
};

const section = (title, content) => [element('h3', {}, title), content];

/** What a file that is sound may be said to be: no more than was looked at. */
const praise = ({ proven }) =>
  proven.includes('rules')
    ? 'O que está neste arquivo é o que está no registro, e não quebra nenhuma regra.'
    : 'O que está neste arquivo é o que está no registro. As regras não puderam ser todas conferidas: veja o que está provado.';

const show = ({ found, refused, ofTicket }) => {
  const isSound = found.verdict === 'sound';
  report.replaceChildren(
    element('h2', {}, isSound ? 'Confere' : 'Não confere'),
    element(
      'p',
      { className: isSound ? 'outcome' : 'alert' },
      isSound ? praise(found) : 'Não confie neste arquivo. O que foi encontrado está logo abaixo.',
    ),
    factsOf(found, ofTicket),
    ...(isSound ? [] : section('O que está errado', listOf('breaches', found.breaches.map(breachOf)))),
    ...(found.proven.length > 0
      ? section(
          'O que está provado',
          listOf(
            'proven',
            found.proven.map((code) => (code === 'signed' && isSitesKey() ? SIGNED_BY_SITE : PROVEN[code])),
          ),
        )
      : []),
    ...section(
      'O que não está provado',
      listOf(
        'unproven',
        found.unproven.map((code) => UNPROVEN[code]),
      ),
    ),
    ...(found.mandates.length > 0
      ? [
          element('h3', {}, 'O que houve, evento por evento'),
          ...found.mandates.map((mandate) => mandateOf(mandate, refused)),
        ]
      : []),
  );
  report.hidden = false;
  report.focus();
};

const complain = (error) => {
  report.hidden = true;
  const { field } = error;
  const said = element(
    'p',
    { className: 'alert', id: 'problema', of: { role: 'alert' } },
    field ? error.message : 'O arquivo não pôde ser conferido.',
  );
  form.prepend(said);
  if (!field) return;
  field.setAttribute('aria-invalid', 'true');
  for (let place = field.closest('details'); place; place = place.parentElement.closest('details'))
    place.setAttribute('open', '');
  field.focus();
};

const start = async () => {
  form.querySelector('#problema')?.remove();
  for (const field of [keyField, fileField, policyField]) field.removeAttribute('aria-invalid');
  try {
    show(await verify());
  } catch (error) {
    complain(error);
  }
};

/** What this site has to be verified, and the key it publishes. */
const fetchOwn = async () => {
  const [history, key] = await Promise.all([globalThis.fetch(own), globalThis.fetch('/tlog/key')]);
  if (!(history.headers.get('content-type') ?? '').startsWith('application/jsonl'))
    throw new Unusable(
      fileField,
      history.ok || history.status === 401
        ? 'Entre na sua conta, e abra esta página de novo pelo botão do mandato ou da compra.'
        : 'O histórico ainda não está todo no registro público, ou não pôde ser buscado. Tente de novo em instantes.',
    );
  if (!key.ok) throw new Unusable(keyField, 'A chave deste site não pôde ser buscada. Tente de novo em instantes.');
  return { file: await history.blob(), key: (await key.text()).trim() };
};

const startOwn = async () => {
  try {
    fetched = await fetchOwn();
    keyField.value = fetched.key;
  } catch (error) {
    complain(error);
    return;
  }
  await start();
};

if (ticket)
  form.prepend(
    element(
      'p',
      { className: 'outcome' },
      `Para conferir o pagamento do bilhete ${ticket}, escolha a prova que veio com ele.`,
    ),
  );
form.noValidate = true; // its own words are more exact
form.addEventListener('submit', (event) => {
  event.preventDefault();
  void start();
});
for (const name of ['dragenter', 'dragover']) {
  drop.addEventListener(name, (event) => {
    event.preventDefault();
    drop.classList.add('over');
  });
}
drop.addEventListener('dragleave', () => drop.classList.remove('over'));
drop.addEventListener('drop', (event) => {
  event.preventDefault();
  drop.classList.remove('over');
  fileField.files = event.dataTransfer.files;
  if (keyField.value.trim() !== '') void start();
});
form.hidden = false;
if (own) void startOwn();

/** The page of a return: exchanges the code, keeps the tokens, calls the API. */
// Secrets are shortened wherever they are shown, so that nobody can read them over a shoulder.
const secrets = [];
const shortened = (secret) => `${secret.slice(0, 8)}…${secret.slice(-4)} (${secret.length} caracteres)`;
const masked = (text) => secrets.reduce((rest, secret) => rest.replaceAll(secret, shortened(secret)), text);

const pretty = (body) => (body === null ? '(sem corpo)' : JSON.stringify(body, null, 2));
const answerText = (status, headers, body) => [`HTTP ${status}`, ...headers, '', pretty(body)].join('\n');
const requestText = (method, url, headers, body) =>
  [`${method} ${url}`, ...headers, ...(body ? ['', pretty(body)] : [])].join('\n');

// The claims of an access token (RFC 9068). Anybody who has it can read them, but only the issuer can write them.
const claimsOf = (token) => JSON.parse(atob(token.split('.')[1].replaceAll('-', '+').replaceAll('_', '/')));

// 'items.0.id' of an answer, or undefined.
const placeIn = (body, path) => path.split('.').reduce((part, name) => part?.[name], body);

// A text as a POSIX shell takes it, whatever is in it.
const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

// A request as a call of curl. Its options are quoted already; a secret is a variable of the shell, never in the text.
const curlText = (method, url, options) =>
  [`curl${method === 'GET' ? '' : ` -X ${method}`} ${quoted(url)}`, ...options].join(' \\\n  ');

// A call of the API: who pastes it has the token in TOKEN.
const curlOfCall = (method, url, headers, body) =>
  curlText(method, url, [
    ...Object.entries(headers).map(([name, value]) =>
      name === 'Authorization' ? `-H "${name}: Bearer $TOKEN"` : `-H ${quoted(`${name}: ${value}`)}`,
    ),
    ...(body ? [`-d ${quoted(pretty(body))}`] : []),
  ]);

// The fields of the server's requests that are secrets, and the variables that stand for them.
const VARIABLES = { code: 'CODE', code_verifier: 'CODE_VERIFIER', refresh_token: 'REFRESH_TOKEN', token: 'TOKEN' };

// A request of the agent's server, as the server shows it: its path, its client and its form.
const curlOfExchange = (origin, request) => {
  const [head, form] = request.split('\n\n');
  const [, method, path] = /^(\S+) (\S+)/.exec(head);
  const [, client] = /base64\((.*):/.exec(head);
  const fields = form.split('\n&').map((field) => {
    const [name] = field.split('=', 1);
    return `-d ${name in VARIABLES ? `"${name}=$${VARIABLES[name]}"` : quoted(field)}`;
  });
  return curlText(method, origin + path, [`-u ${quoted(`${client}:`)}"$CLIENT_SECRET"`, ...fields]);
};

const warningsIn = ({ warnings = [] }) => warnings.map(({ field, message }) => `Aviso: ${field} ${message}.`);

// { 'limit.amount': 1 } as { limit: { amount: 1 } }; a number in a name is a place in a list.
const nested = (entries) => {
  const body = {};
  for (const [name, value] of entries) {
    const path = name.split('.');
    const last = path.pop();
    path.reduce((part, key, at) => (part[key] ??= /^\d+$/.test(path[at + 1] ?? last) ? [] : {}), body)[last] = value;
  }
  return body;
};

// The call that a form describes: fields named in the path go there, the others into the query or the body.
const callOf = (method, path, entries) => {
  const isInPath = ([name]) => path.includes(`{${name}}`);
  const filled = entries
    .filter(isInPath)
    .reduce((rest, [name, value]) => rest.replace(`{${name}}`, encodeURIComponent(value)), path);
  const others = entries.filter((entry) => !isInPath(entry));
  if (method === 'POST') return { path: filled, body: nested(others) };
  const query = new URLSearchParams(others).toString();
  return { path: query ? `${filled}?${query}` : filled, body: null };
};

// The functions below change the page. Everything from outside is inserted as text, never as markup.

// A code in the address would stay in the history.
if (location.search !== '') history.replaceState(null, '', location.pathname);

const root = document.getElementById('playground');
// The tokens are kept here and nowhere else, until the page is closed.
const tokens = { access: null, refresh: null };

const element = (name, properties, ...children) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};

const SHOWN_FOR = 2_000;

// Copies a text, and says so. Where the browser keeps its clipboard from this page, by way of a field that is gone at once.
const copy = async (button, text) => {
  const said = (button.dataset.said ??= button.textContent);
  let isCopied = true;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    isCopied = copyByField(text);
  }
  button.focus();
  button.textContent = isCopied ? 'Copiado' : 'O navegador não deixou copiar';
  document.getElementById('said').textContent = button.textContent;
  setTimeout(() => {
    button.textContent = said;
  }, SHOWN_FOR);
};

const copyByField = (text) => {
  const field = element('textarea', { value: text, readOnly: true, className: 'visually-hidden' });
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  return isCopied;
};

const copyButton = (text, textContent = 'Copiar como curl') => {
  const button = element('button', { type: 'button', className: 'link', textContent });
  button.addEventListener('click', () => copy(button, text));
  return button;
};

// The answers to earlier requests make room; whoever wants to see one again opens it.
const result = (status, ...made) => {
  for (const earlier of document.querySelectorAll('details.result[open]')) earlier.open = false;
  const summary = element('summary', { textContent: `Requisição e resposta: ${status}` });
  return element('details', { className: 'result', open: true }, summary, ...made);
};

const message = (caption, text) => {
  const pre = element('pre', { tabIndex: 0, textContent: masked(text) });
  pre.setAttribute('role', 'group');
  pre.setAttribute('aria-label', caption);
  return element('figure', { className: 'message' }, element('figcaption', { textContent: caption }), pre);
};

const show = (form, ...made) => form.querySelector('[data-shown]').replaceChildren(...made);
// For people who cannot see what has appeared below the button.
const announce = (form, status) => {
  document.getElementById('said').textContent = `${form.querySelector('button').textContent}: resposta ${status}.`;
};

const keep = ({ access_token: access, refresh_token: refresh }) => {
  Object.assign(tokens, { access, refresh });
  secrets.push(access, refresh);
};

const markDone = (within) => {
  within.closest('.step').querySelector('.place').textContent = '✓';
};

const revealCalls = () => {
  for (const part of document.querySelectorAll('[data-after-exchange]')) part.hidden = false;
  const [, , exchange, calls] = document.querySelectorAll('.step');
  exchange.removeAttribute('aria-current');
  calls.setAttribute('aria-current', 'step');
};

// Asks the pilot's own server to take a step; it answers the request it sent and the response it got.
const askServer = async (step, fields) => {
  const response = await fetch(`/oauth/playground/${step}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...fields, csrf: root.dataset.csrf }),
  });
  const body = await response.json();
  if (!response.ok) throw new Error(body.message);
  return body;
};

const takeStep = async (form) => {
  const { step } = form.dataset;
  const { code, state } = root.dataset;
  const fields = { token: { code, state }, refresh: { token: tokens.refresh }, revoke: { token: tokens.access } }[step];
  const { request, response } = await askServer(step, fields);
  const hasTokens = response.status === 200 && step !== 'revoke';
  if (hasTokens) keep(response.body);
  show(
    form,
    result(
      response.status,
      message('Requisição do servidor do agente', request),
      copyButton(curlOfExchange(location.origin, request)),
      message('Resposta do servidor de autorização', answerText(response.status, [], response.body)),
      ...(hasTokens ? [message('O que o token de acesso diz', pretty(claimsOf(tokens.access)))] : []),
    ),
  );
  announce(form, response.status);
  if (response.status === 200) markDone(form);
  if (step !== 'token') return;
  // The code is used up, whatever the outcome.
  form.querySelector('button').hidden = true;
  if (hasTokens) {
    revealCalls();
    void followEvents();
  }
  form.querySelector('pre').focus();
};

const entriesOf = (form) =>
  [...form.elements]
    .filter(({ name, value }) => name && value !== '')
    .map(({ name, value, type }) => [name, type === 'number' ? Number(value) : value]);

const fillFrom = (call, body) => {
  for (const field of document.querySelectorAll(`[data-from^="${call}."]`)) {
    field.value = placeIn(body, field.dataset.from.slice(call.length + 1)) ?? field.value;
  }
};

const SHOWN_HEADERS = ['location', 'www-authenticate', 'x-request-id'];

const callApi = async (form) => {
  const { call, method, path: pattern, needsToken } = form.dataset;
  const { path, body } = callOf(method, pattern, entriesOf(form));
  const headers = {
    ...(needsToken !== undefined && { Authorization: `Bearer ${tokens.access}` }),
    ...(body && { 'Content-Type': 'application/json' }),
  };
  const url = root.dataset.api + path;
  const sent = { method, headers, credentials: 'omit', ...(body && { body: JSON.stringify(body) }) };
  const response = await fetch(url, sent);
  const answer = await response.json();
  const shown = SHOWN_HEADERS.filter((name) => response.headers.has(name)).map(
    (name) => `${name}: ${response.headers.get(name)}`,
  );
  const written = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const request = requestText(method, url, written, body);
  show(
    form,
    ...warningsIn(answer).map((textContent) => element('p', { className: 'alert', textContent })),
    result(
      response.status,
      message('Requisição', request),
      copyButton(curlOfCall(method, url, headers, body)),
      message('Resposta', answerText(response.status, shown, answer)),
    ),
  );
  announce(form, response.status);
  if (!response.ok) return;
  fillFrom(call, answer);
  if (call === 'receipt') markDone(form);
};

const events = document.getElementById('events');
const EVENTS_SHOWN = 50;
let cursor = null;

const showEvent = (event) => {
  const said = JSON.parse(events.dataset.words)[event.type] ?? event.type;
  const at = element('time', {
    dateTime: event.timestamp,
    textContent: new Date(event.timestamp).toLocaleTimeString('pt-BR'),
  });
  const summary = element('summary', {}, `${said} `, at);
  events.prepend(element('li', {}, element('details', {}, summary, message(event.type, pretty(event)))));
  while (events.children.length > EVENTS_SHOWN) events.lastElementChild.remove();
  document.getElementById('events-state').hidden = true;
};

// A block of server-sent events: its id is the cursor to go on from. The first has nothing else.
const takeEvent = (block) => {
  for (const line of block.split('\n')) {
    if (line.startsWith('id: ')) cursor = line.slice('id: '.length);
    if (line.startsWith('data: ')) showEvent(JSON.parse(line.slice('data: '.length)));
  }
};

// Reads the stream to its end, and answers the status. An EventSource would send no token.
const readEvents = async () => {
  const url = `${root.dataset.api}/events${cursor === null ? '' : `?after=${cursor}`}`;
  const headers = { Authorization: `Bearer ${tokens.access}`, Accept: 'text/event-stream' };
  const { status, ok, body } = await fetch(url, { headers, credentials: 'omit' });
  if (!ok) return status;
  const [reader, decoder] = [body.getReader(), new TextDecoder()];
  for (let rest = ''; ;) {
    const { value, done } = await reader.read();
    if (done) return status;
    const blocks = (rest + decoder.decode(value, { stream: true })).split('\n\n');
    rest = blocks.pop();
    for (const block of blocks) takeEvent(block);
  }
};

const EVENTS_END = {
  401: 'O fluxo acabou com o token.',
  403: 'Este token não dá acesso a eventos: peça receipt:read ou mandate:create.',
};
const EVENTS_PAUSE = 3_000;

const followEvents = async () => {
  for (;;) {
    const status = await readEvents().catch(() => 0);
    if (EVENTS_END[status]) {
      const state = document.getElementById('events-state');
      Object.assign(state, { textContent: EVENTS_END[status], hidden: false });
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, EVENTS_PAUSE));
  }
};

let isBusy = false;
document.addEventListener('submit', async (event) => {
  const form = event.target;
  event.preventDefault();
  if (isBusy) return;
  isBusy = true;
  try {
    await (form.dataset.step ? takeStep(form) : callApi(form));
  } catch (error) {
    const textContent = error instanceof TypeError ? 'O servidor não respondeu. Tente de novo.' : error.message;
    show(form, element('p', { className: 'alert', role: 'alert', textContent }));
  } finally {
    isBusy = false;
  }
});

// The token is in no attribute and no text: only in what the button copies when it is pressed.
document.getElementById('copy-token')?.addEventListener('click', ({ target }) => copy(target, tokens.access));

if (root) {
  secrets.push(root.dataset.code);
  root.hidden = false;
}

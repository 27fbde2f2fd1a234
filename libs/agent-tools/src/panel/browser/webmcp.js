/* Registers Alçada's tools for agents in the browser (WebMCP). The access token lives in this closure alone. */
(() => {
  'use strict';

  const context = document.modelContext ?? navigator.modelContext;
  const LOADED = Symbol.for('alcada.webmcp');
  if (!context?.registerTool || window[LOADED]) return;
  window[LOADED] = true;

  // `currentScript` is there only while the script runs first; a module has none and looks at its own origin.
  const MANIFEST = new URL('/.well-known/webmcp.json', document.currentScript?.src ?? location.href);
  // What pays, and what gives back.
  const PAYING = 'order:write';
  const BOUND_ONLY =
    'Este serviço só aceita agentes que provam ter uma chave (DPoP), e o desta página não prova. ' +
    'Conecte outro agente por MCP ou pela API.';

  let manifest;
  /** While an agent is connected: its token, how to revoke it, and what ends its tools. */
  let session = null;

  const json = async (url, options = {}) => {
    const response = await fetch(url, { credentials: 'omit', ...options });
    return { ok: response.ok, status: response.status, body: await response.json() };
  };

  const refusal = (error, message, more = {}) => {
    const structuredContent = { error, message, ...more };
    return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent, isError: true };
  };

  /** Runs a tool; whatever happens, the answer is a tool result. Arguments travel in the body, never in an address. */
  const call = async (name, input, signal, token) => {
    try {
      const { ok, status, body } = await json(manifest.dispatch.url, {
        method: manifest.dispatch.method,
        headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
        body: JSON.stringify({ tool: name, arguments: input ?? {} }),
        signal,
      });
      if (ok) return body;
      if (status === 401 && token === session?.token) disconnect('A conexão terminou. Conecte o agente de novo.');
      return refusal(body.error, body.message, { ...body, status });
    } catch {
      return signal?.aborted
        ? refusal('cancelled', 'A chamada foi cancelada.')
        : refusal('service_unreachable', 'O serviço não respondeu. Tente de novo.');
    }
  };

  /** Offers tools until `signal` aborts. Where the name is taken, whoever took it keeps it. */
  const offer = (tools, signal, token) => {
    for (const { name, title, description, inputSchema, annotations: hints, scopes } of tools) {
      const annotations = { ...hints, consequentialHint: hints.destructiveHint && scopes.includes(PAYING) };
      const execute = (input, options) => call(name, input, options?.signal, token);
      const tool = { name, title, description, inputSchema, annotations, execute };
      // Older browsers return nothing here, and know a method instead of the signal.
      new Promise((resolve) => resolve(context.registerTool(tool, { signal }))).catch(() => undefined);
      signal?.addEventListener('abort', () => context.unregisterTool?.(name));
    }
  };

  const panel = document.getElementById('agente');
  const part = (name) => panel?.querySelector(`[data-part="${name}"]`);
  const say = (text) => {
    if (panel) part('status').textContent = text;
  };
  const show = () => {
    part('connect').hidden = session !== null;
    part('connected').hidden = session === null;
    part('paying').checked = false;
  };

  const base64url = (bytes) =>
    btoa(String.fromCharCode(...bytes))
      .replaceAll('+', '-')
      .replaceAll('/', '_')
      .replaceAll('=', '');
  const random = () => base64url(crypto.getRandomValues(new Uint8Array(32)));
  const sha256 = async (text) => new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));

  let attempt = new AbortController();

  /** What the window came back with. Only pages of this very origin hear one another on a channel. */
  const answerTo = (state, { signal }) =>
    new Promise((resolve, reject) => {
      const channel = new BroadcastChannel('alcada-conectar');
      signal.addEventListener('abort', () => {
        channel.close();
        reject(signal.reason);
      });
      channel.onmessage = ({ data }) => {
        const answer = new URLSearchParams(data.answer);
        if (answer.get('state') !== state) return;
        channel.postMessage({ received: state });
        channel.close();
        resolve(answer);
      };
    });

  /** Lets the traveller approve in a window of the authorization server; answers the new session. */
  const authorize = async (popup, { signal }) => {
    const { issuer, serverMetadata, resource, resourceMetadata } = manifest.authorization;
    const { body: protectedResource } = await json(resourceMetadata, { signal });
    if (protectedResource.dpop_bound_access_tokens_required) throw new Error(BOUND_ONLY);
    const { body: server } = await json(serverMetadata, { signal });
    if (server.issuer !== issuer) throw new Error('Não foi possível verificar quem autoriza.');

    const { clientId: client_id, redirectUri: redirect_uri } = panel.dataset;
    const [state, verifier] = [random(), random()];
    const url = new URL(server.authorization_endpoint);
    url.search = new URLSearchParams({
      response_type: 'code',
      client_id,
      redirect_uri,
      scope: [...new Set(manifest.tools.flatMap(({ scopes }) => scopes))].join(' '),
      resource,
      state,
      code_challenge: base64url(await sha256(verifier)),
      code_challenge_method: 'S256',
    });
    const answered = answerTo(state, { signal });
    popup.location.replace(url);

    const answer = await answered;
    if (answer.get('iss') !== issuer) throw new Error('A resposta não veio de quem devia.');
    if (answer.has('error')) throw new Error('O acesso não foi autorizado.');
    const code = answer.get('code');
    const form = { grant_type: 'authorization_code', client_id, redirect_uri, code, code_verifier: verifier };
    const { ok, body } = await json(server.token_endpoint, { method: 'POST', body: new URLSearchParams(form), signal });
    if (!ok) throw new Error(body.message);

    const token = body.access_token;
    const revoke = () => {
      const revocation = new URLSearchParams({ token, client_id });
      const sent = { method: 'POST', body: revocation, credentials: 'omit', keepalive: true };
      fetch(server.revocation_endpoint, sent).catch(() => undefined);
    };
    const expiry = setTimeout(disconnect, body.expires_in * 1000, 'A conexão expirou. Conecte o agente de novo.');
    const end = new AbortController();
    end.signal.addEventListener('abort', () => clearTimeout(expiry));
    return { token, scopes: body.scope.split(' '), revoke, end, paying: null };
  };

  /** The tools that the session's scopes allow, of those that pay or of the others. */
  const allowed = (isPaying) =>
    manifest.tools.filter(
      ({ access, scopes }) =>
        access === 'scoped' &&
        scopes.includes(PAYING) === isPaying &&
        scopes.every((scope) => session.scopes.includes(scope)),
    );

  const connect = async () => {
    attempt.abort();
    attempt = new AbortController();
    const { signal } = attempt;
    // At once, in the click itself, or the browser takes it for an advertisement.
    const popup = window.open('', 'alcada-conectar', 'popup,width=560,height=800');
    if (!popup) {
      say('O navegador bloqueou a janela de autorização. Permita janelas deste site e tente de novo.');
      return;
    }
    say('Continue na janela que se abriu. Se ela se fechou, conecte de novo.');
    try {
      session = await authorize(popup, attempt);
      offer(allowed(false), session.end.signal, session.token);
      say('Agente conectado: ele já pode reservar em seu nome.');
      show();
      part('connected').querySelector('input').focus();
    } catch (error) {
      if (signal.aborted) return;
      popup.close();
      say(error instanceof TypeError ? 'O serviço não respondeu. Tente de novo.' : error.message);
    }
  };

  /** Takes the scoped tools away and has the token revoked. */
  const disconnect = (text) => {
    attempt.abort();
    if (!session) return;
    const { revoke, end, paying } = session;
    session = null;
    paying?.abort();
    end.abort();
    revoke();
    show();
    say(text);
  };

  /** Tools that pay are there while the box is ticked, and only a person ticks it: what a script clicks stays as it was. */
  const allowPaying = (event) => {
    if (!event.isTrusted || !session) {
      event.preventDefault();
      return;
    }
    session.paying?.abort();
    if (!event.target.checked) {
      say('O agente não pode pagar.');
      return;
    }
    session.paying = new AbortController();
    offer(allowed(true), session.paying.signal, session.token);
    say('O agente pode pagar nesta página, dentro de um mandato válido.');
  };

  const start = async () => {
    const { ok, body } = await json(MANIFEST);
    if (!ok) return;
    manifest = body;
    offer(manifest.tools.filter(({ access }) => access === 'public'));
    if (!panel) return;
    part('connect').addEventListener('click', connect);
    part('disconnect').addEventListener('click', () => disconnect('Agente desconectado.'));
    part('paying').addEventListener('click', allowPaying);
    addEventListener('pagehide', () => disconnect('Agente desconectado.'));
    show();
    part('offered').hidden = false;
  };

  // Without a manifest there are no tools, and the page is as good as without this script.
  start().catch(() => undefined);
})();

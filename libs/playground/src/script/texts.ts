/**
 * The script's part that makes texts of messages, and touches nothing. Scripts are written without template literals,
 * since they stand in one.
 */
export const TEXTS = `
// What must not be readable over a shoulder: replaced wherever it would be shown.
const secrets = [];
const shortened = (secret) => secret.slice(0, 8) + '…' + secret.slice(-4) + ' (' + secret.length + ' caracteres)';
const veiled = (text) => secrets.reduce((rest, secret) => rest.replaceAll(secret, shortened(secret)), text);

const pretty = (body) => (body === null ? '(sem corpo)' : JSON.stringify(body, null, 2));
const answerText = (status, headers, body) => ['HTTP ' + status, ...headers, '', pretty(body)].join('\\n');
const requestText = (method, url, headers, body) => [method + ' ' + url, ...headers, ...(body ? ['', pretty(body)] : [])].join('\\n');

// The claims of an access token (RFC 9068): anybody who has it can read them, only the issuer can write them.
const claimsOf = (token) => JSON.parse(atob(token.split('.')[1].replaceAll('-', '+').replaceAll('_', '/')));

// 'items.0.id' of an answer, or undefined.
const placeIn = (body, path) => path.split('.').reduce((part, name) => part?.[name], body);

// { 'limit.amount': 1 } as { limit: { amount: 1 } }
const nested = (entries) => {
  const body = {};
  for (const [name, value] of entries) {
    const path = name.split('.');
    const last = path.pop();
    path.reduce((part, key) => (part[key] ??= {}), body)[last] = value;
  }
  return body;
};

// A call as its form describes it: fields named in the path go there, the others into the query or the body.
const callOf = (method, path, entries) => {
  const isInPath = ([name]) => path.includes('{' + name + '}');
  const filled = entries.filter(isInPath).reduce((rest, [name, value]) => rest.replace('{' + name + '}', encodeURIComponent(value)), path);
  const others = entries.filter((entry) => !isInPath(entry));
  if (method === 'POST') return { path: filled, body: nested(others) };
  const query = new URLSearchParams(others).toString();
  return { path: query ? filled + '?' + query : filled, body: null };
};
`;

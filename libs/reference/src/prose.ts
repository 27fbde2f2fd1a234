import { html, type Html } from '#site';

/** What a line may hold: code, emphasis, a link to a page of the service or an https address. */
const INLINE = /`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]+)\]\(((?:https?:\/\/|\/|#)[^\s)]*)\)/g;

/** A line of Markdown; what is not understood stays text. */
export const line = (text: string): Html => {
  const parts: Html[] = [];
  let done = 0;
  for (const found of text.matchAll(INLINE)) {
    const [whole, code, strong, label, address] = found;
    parts.push(html`${text.slice(done, found.index)}`);
    if (code !== undefined) parts.push(html`<code>${code}</code>`);
    else if (strong !== undefined) parts.push(html`<strong>${strong}</strong>`);
    else parts.push(html`<a href="${address ?? ''}">${label ?? ''}</a>`);
    done = found.index + whole.length;
  }
  return html`${parts}${text.slice(done)}`;
};

/** The little Markdown that descriptions are written in: paragraphs and lists. */
export const prose = (text: string): Html =>
  html`${text
    .trim()
    .split(/\n\s*\n/)
    .map(block)}`;

const block = (text: string): Html => {
  const lines = text.split('\n');
  if (!lines.every((one) => /^\s*[-*] /.test(one))) return html`<p>${line(text)}</p>`;
  return html`<ul>
    ${lines.map((one) => html`<li>${line(one.replace(/^\s*[-*] /, ''))}</li>`)}
  </ul>`;
};

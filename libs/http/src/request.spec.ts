import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { prefersHtml } from './request.js';

const asking = (accept: string | undefined) => {
  const raw = new IncomingMessage(new Socket());
  raw.headers.accept = accept;
  return { raw };
};

describe('an Accept header', () => {
  it.each([
    'text/html',
    'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    'application/json;q=0.5, Text/HTML;level=1;q=0.6',
    'text/html, application/json',
  ])('asks for a page: %s', (accept) => {
    expect(prefersHtml(asking(accept))).toBe(true);
  });

  it.each([
    undefined,
    '',
    '*/*',
    'application/json',
    'text/html;q=0',
    'text/html;q=x',
    'application/json, text/html',
    'text/*',
  ])('does not: %s', (accept) => {
    expect(prefersHtml(asking(accept))).toBe(false);
  });
});

import { baseUrlsAt } from '#http';
import { DomainError, type ErrorCode } from '#kernel';
import type { FastifyRequest } from 'fastify';
import { errorPage, pageErrors } from './protocol-error.js';

const request = {
  id: 'r',
  urls: baseUrlsAt('https://voos.example'),
  raw: { headers: {} },
} as unknown as FastifyRequest;

describe('a refusal of the domain on a page', () => {
  it.each<[ErrorCode, number]>([
    ['mandate_pending', 409],
    ['mandate_cap_exceeded', 422],
    ['mandate_not_found', 404],
    ['rate_limited', 429],
    ['service_unavailable', 503],
  ])('keeps its status: %s', (code, status) => {
    expect(pageErrors(new DomainError(code), request)).toMatchObject({ status });
  });

  it('leads on, to the account and the start', () => {
    const answer = {
      status: 404,
      error: 'mandate_not_found',
      description: 'unknown',
      message: 'Mandato desconhecido.',
    };
    const { html } = errorPage(answer, request.urls, request.id);
    expect(html).toContain('volte a ele e comece de novo');
    for (const path of ['/conta', '/']) expect(html).toMatch(new RegExp(`<a class="button[^"]*" href="${path}">`));
  });

  it('is an error of ours only where it is none of the catalogue', () => {
    expect(pageErrors(new Error('a bug'), request)).toMatchObject({ status: 500, code: 'server_error' });
  });
});

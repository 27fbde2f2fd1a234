import { describe, expect, it } from '@jest/globals';
import { baseUrlsAt } from '#http';
import { newSecret } from '../secrets.js';
import { checkForm, csrfToken } from './forms.js';

const urls = { ...baseUrlsAt('https://alcada.example'), site: 'https://viagens.example' };
const sessionId = newSecret();
const sound = { origin: 'https://alcada.example', sessionId, csrf: csrfToken(sessionId, 'request') };

describe('a form', () => {
  it.each([
    ['of our own page', sound],
    ['of our own page on the public site', { ...sound, origin: 'https://viagens.example' }],
    ['of a client that tells no origin', { ...sound, origin: undefined }],
  ])('%s is taken', (_, form) => {
    expect(() => checkForm(form, 'request', urls)).not.toThrow();
  });

  it.each([
    ['of another origin', { ...sound, origin: 'https://evil.example' }],
    ['of an opaque origin', { ...sound, origin: 'null' }],
    ['of our host over http', { ...sound, origin: 'http://alcada.example' }],
    ['without a token', { ...sound, csrf: undefined }],
    ['without a session', { ...sound, sessionId: null }],
    ['with the token of another session', { ...sound, csrf: csrfToken(newSecret(), 'request') }],
    ['with the token of another form', { ...sound, csrf: csrfToken(sessionId, 'other') }],
  ])('%s is refused', (_, form) => {
    expect(() => checkForm(form, 'request', urls)).toThrow('form_forged');
  });
});

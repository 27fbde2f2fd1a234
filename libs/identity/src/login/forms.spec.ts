import { baseUrlsAt } from '#http';
import { newSecret } from '../secrets.js';
import { checkForm, csrfToken } from './forms.js';

const urls = { ...baseUrlsAt('https://alcada.example'), site: 'https://viagens.example' };
const sessionId = newSecret();
const valid = { origin: 'https://alcada.example', sessionId, csrf: csrfToken(sessionId, 'request') };

describe('a form', () => {
  it.each([
    ['of our own page', valid],
    ['of our own page on the public site', { ...valid, origin: 'https://viagens.example' }],
    ['of a client that sends no origin', { ...valid, origin: undefined }],
  ])('%s is accepted', (_, form) => {
    expect(() => checkForm(form, 'request', urls)).not.toThrow();
  });

  it.each([
    ['of another origin', { ...valid, origin: 'https://evil.example' }],
    ['of an opaque origin', { ...valid, origin: 'null' }],
    ['of our host over http', { ...valid, origin: 'http://alcada.example' }],
    ['without a token', { ...valid, csrf: undefined }],
    ['without a session', { ...valid, sessionId: null }],
    ['with the token of another session', { ...valid, csrf: csrfToken(newSecret(), 'request') }],
    ['with the token of another form', { ...valid, csrf: csrfToken(sessionId, 'other') }],
  ])('%s is refused', (_, form) => {
    expect(() => checkForm(form, 'request', urls)).toThrow('form_forged');
  });
});

import { OAUTH_ERRORS } from './oauth-error.js';

describe('the errors of the authorization server', () => {
  it.each(Object.entries(OAUTH_ERRORS))('%s has a description that RFC 6749 §5.2 admits', (_, { description }) => {
    expect(description).toMatch(/^[\x20-\x21\x23-\x5B\x5D-\x7E]+$/);
  });

  it.each(Object.entries(OAUTH_ERRORS))('%s has a message that is a sentence', (_, { message }) => {
    expect(message).toMatch(/^\p{Lu}.*\.$/u);
  });
});

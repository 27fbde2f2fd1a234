import OAuth2Server from '@node-oauth/oauth2-server';
import { DocumentsUnavailable } from '#documents';
import { DomainError } from '#kernel';
import { fromLibrary } from './token-library.js';
import { OAuthError } from '../oauth-error.js';

describe('an error of the library', () => {
  it('becomes our own error where it wraps one, an outage too', () => {
    const outage = new DocumentsUnavailable('no connection');
    for (const own of [new OAuthError('target_invalid'), new DomainError('rate_limited'), outage]) {
      expect(fromLibrary(new OAuth2Server.ServerError(own))).toBe(own);
    }
  });

  it('becomes a server error without details where it was not foreseen', () => {
    const inner = new Error('mongodb://alcada:senha@10.0.0.7');
    for (const thrown of [new OAuth2Server.ServerError(inner), new OAuth2Server.InvalidArgumentError('x'), inner]) {
      const error = fromLibrary(thrown);
      expect(error).toMatchObject({ reason: 'server_error' });
      expect(error.message).not.toContain('mongodb');
    }
  });

  it('becomes our own reason where it has one', () => {
    const thrown = new OAuth2Server.InvalidGrantError('Invalid grant: x');
    expect(fromLibrary(thrown, { invalid_grant: 'code_invalid' })).toMatchObject({ reason: 'code_invalid' });
  });
});

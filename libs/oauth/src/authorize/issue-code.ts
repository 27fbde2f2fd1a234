import { Injectable } from '@nestjs/common';
import OAuth2Server from '@node-oauth/oauth2-server';
import { AuthorizationCodes } from '../grants/authorization-codes.js';
import { fromLibrary, libraryClient, libraryRequest, UNUSED } from '../library.js';
import { LIFETIMES } from '../oauth-settings.js';
import { newSecret } from '#identity';
import type { AuthorizationRequest } from './authorization-request.js';

/** Issues the code of a request that the traveller has approved. Login, consent and the redirect are ours, not the library's. */
@Injectable()
export class IssueCode {
  constructor(private readonly codes: AuthorizationCodes) {}

  async issue(
    { clientId, redirectUri, codeChallenge, scopes }: AuthorizationRequest,
    grantId: string,
  ): Promise<string> {
    const client = libraryClient(clientId, redirectUri);
    const user = { grantId };
    const model: OAuth2Server.AuthorizationCodeModel = {
      ...UNUSED,
      getClient: () => Promise.resolve(client),
      generateAuthorizationCode: () => Promise.resolve(newSecret()),
      saveAuthorizationCode: async (code) => {
        await this.codes.keep(code.authorizationCode, { grantId, clientId, redirectUri, codeChallenge });
        return { ...code, client, user };
      },
    };
    const request = libraryRequest({
      client_id: clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: scopes.join(' '),
      code_challenge: codeChallenge,
      code_challenge_method: 'S256',
    });
    const options = {
      allowEmptyState: true,
      authorizationCodeLifetime: LIFETIMES.code / 1000,
      authenticateHandler: { handle: () => user },
    };
    try {
      const code = await new OAuth2Server({ model }).authorize(request, new OAuth2Server.Response(), options);
      return code.authorizationCode;
    } catch (error) {
      throw fromLibrary(error);
    }
  }
}

import type { BaseUrls } from '#http';
import { type Scope, SCOPES } from '#kernel';
import type { BegunAttempt } from './attempts.js';

/** A parameter of the authorization request, and what it is for. */
export interface ExplainedParameter {
  readonly name: string;
  readonly value: string;
  readonly text: string;
}

/** What the pilot client asks for in the playground. */
export interface Asked extends BegunAttempt {
  readonly clientId: string;
  readonly scopes: readonly Scope[];
  readonly urls: BaseUrls;
}

/** Where the pilot's answers come back to in the playground: character for character what is registered. */
export const playgroundAddress = ({ auth }: BaseUrls): string => `${auth}/oauth/playground`;

/** The scopes that a form chose, in the interface's order. None at all is asked for as such: the server says what it thinks of that. */
export const chosenScopes = (query: URLSearchParams): readonly Scope[] => {
  const chosen = query.getAll('scope');
  return SCOPES.filter((scope) => chosen.includes(scope));
};

/** The parameters of an authorization request (OAuth 2.1 §4.1.1; RFC 8707 §2). */
export const authorizationParameters = (asked: Asked): readonly ExplainedParameter[] => {
  const { clientId, scopes, state, challenge, urls } = asked;
  const parameter = (name: string, value: string, text: string): ExplainedParameter => ({ name, value, text });
  return [
    parameter('response_type', 'code', 'O que volta pelo navegador é um código, nunca um token.'),
    parameter('client_id', clientId, 'Quem pede: o cliente piloto.'),
    parameter('redirect_uri', playgroundAddress(urls), 'Para onde voltar: um endereço registrado, letra por letra.'),
    parameter('scope', scopes.join(' '), 'O que o agente poderá fazer.'),
    parameter('resource', urls.base, 'Para que serviço o token vale: só para esta API.'),
    parameter('state', state, 'Liga a volta a este navegador; quem trouxer outro é recusado.'),
    parameter('code_challenge', challenge, 'Resumo SHA-256 de um segredo que fica no servidor (PKCE).'),
    parameter('code_challenge_method', 'S256', 'Como o resumo foi feito; outro método é recusado.'),
  ];
};

export const authorizationUrl = (parameters: readonly ExplainedParameter[], { auth }: BaseUrls): string => {
  const query = new URLSearchParams(parameters.map(({ name, value }): [string, string] => [name, value]));
  return `${auth}/oauth/authorize?${query.toString()}`;
};

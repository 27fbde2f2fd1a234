import { type ErrorAnswer, errorAnswer as entry, ProtocolError, REQUEST_ERRORS } from '#identity';

const refused = (error: string, description: string, message: string): ErrorAnswer =>
  entry(400, error, description, message);
const request = (description: string, message: string): ErrorAnswer => refused('invalid_request', description, message);
const grant = (description: string, message: string): ErrorAnswer => refused('invalid_grant', description, message);
const proof = (description: string, message: string): ErrorAnswer =>
  refused('invalid_dpop_proof', description, message);

export const OAUTH_ERRORS = {
  ...REQUEST_ERRORS,
  client_unknown: request('client_id is unknown', 'O aplicativo que pediu acesso não é conhecido.'),
  client_document_refused: request(
    'the metadata document at client_id could not be read, or is not one of a client',
    'Não foi possível ler o documento com que este aplicativo se apresenta, ou ele não é válido.',
  ),
  client_metadata_flawed: refused(
    'invalid_client_metadata',
    'the metadata are not those of a client that uses authorization codes',
    'Os metadados não são de um aplicativo que usa códigos de autorização.',
  ),
  redirect_uris_flawed: refused(
    'invalid_redirect_uri',
    'redirect_uris must be https, or http on a loopback address, without fragment',
    'Os endereços de retorno devem usar https, ou http neste computador, sem fragmento.',
  ),
  registration_closed: entry(
    404,
    'invalid_request',
    'dynamic registration is off',
    'O registro de aplicativos está desligado.',
  ),
  redirect_uri_unknown: request(
    'redirect_uri is missing or not registered for this client',
    'O endereço de retorno não está registrado para este aplicativo.',
  ),
  state_flawed: request(
    'state may hold printable ASCII only, at most 1,024 bytes',
    'O parâmetro state só pode ter caracteres ASCII visíveis, no máximo 1.024.',
  ),
  details_flawed: refused(
    'invalid_authorization_details',
    'authorization_details must be a JSON list of 1 to 5 payment_mandate objects with known members',
    'O parâmetro authorization_details deve ser uma lista JSON de 1 a 5 mandatos de pagamento, só com campos conhecidos.',
  ),
  prompt_flawed: request(
    'prompt may hold login and consent, or none by itself',
    'O parâmetro prompt aceita login e consent, ou só none.',
  ),
  max_age_flawed: request('max_age must be a number of seconds', 'O parâmetro max_age deve ser um número de segundos.'),
  pkce_required: request(
    'code_challenge with code_challenge_method S256 is required',
    'É preciso enviar code_challenge com o método S256.',
  ),
  pkce_verifier_flawed: request('code_verifier is missing or malformed', 'O code_verifier falta ou está malformado.'),
  several_client_authentications: request(
    'more than one way of client authentication was used',
    'Use uma única forma de autenticar o aplicativo.',
  ),
  consent_overtaken: entry(
    409,
    'invalid_request',
    'another decision took the room of this consent, and nothing of it was granted',
    'Enquanto você decidia, outra autorização ocupou o limite deste agente, ele foi revogado, ou você pausou todos os agentes. Nada foi concedido: comece de novo no aplicativo.',
  ),
  consent_late: entry(
    409,
    'invalid_request',
    'the time of a mandate was over before the consent was carried out, and nothing of it was granted',
    'O prazo de um mandato acabou antes que a sua autorização fosse concluída. Nada foi concedido: comece de novo no aplicativo.',
  ),
  authorization_request_gone: request(
    'the authorization request is unknown, decided or expired',
    'Este pedido de autorização não existe mais. Volte ao aplicativo e comece de novo.',
  ),

  client_unauthenticated: entry(
    401,
    'invalid_client',
    'client authentication failed',
    'A autenticação do aplicativo falhou.',
  ),

  code_invalid: grant(
    'the authorization code is invalid, expired or used',
    'O código de autorização é inválido, venceu ou já foi usado.',
  ),
  refresh_token_invalid: grant(
    'the refresh token is invalid, expired, rotated or revoked',
    'O refresh token é inválido, venceu, já foi trocado ou foi revogado.',
  ),

  dpop_jkt_flawed: request(
    'dpop_jkt must be the SHA-256 thumbprint of a key, in base64url',
    'O parâmetro dpop_jkt deve ser a impressão SHA-256 de uma chave, em base64url.',
  ),
  dpop_jkt_of_another_key: request(
    'dpop_jkt is not the thumbprint of the DPoP proof key',
    'O parâmetro dpop_jkt não é a impressão da chave da prova DPoP.',
  ),
  dpop_proof_missing: proof('a DPoP proof is required', 'É preciso enviar uma prova DPoP no cabeçalho DPoP.'),
  dpop_proof_malformed: proof(
    'the DPoP proof is not one JWT of type dpop+jwt, signed as advertised by the public key in its header',
    'A prova DPoP não é um JWT do tipo dpop+jwt, assinado por um algoritmo anunciado com a chave pública do cabeçalho.',
  ),
  dpop_proof_of_another_request: proof(
    'htm or htu of the DPoP proof is not the method or address of this request',
    'A prova DPoP é de outro método ou de outro endereço (htm, htu).',
  ),
  dpop_proof_untimely: proof(
    'iat of the DPoP proof is too old or too far ahead',
    'A prova DPoP é antiga demais ou vem do futuro (iat).',
  ),
  dpop_proof_of_another_token: proof(
    'ath of the DPoP proof is not the hash of this access token',
    'A prova DPoP é de outro token de acesso (ath).',
  ),
  dpop_proof_replayed: proof('the DPoP proof was used before', 'A prova DPoP já foi usada (jti).'),
  dpop_nonce_required: refused(
    'use_dpop_nonce',
    'the DPoP proof must carry the nonce of the DPoP-Nonce header',
    'A prova DPoP deve levar o nonce do cabeçalho DPoP-Nonce desta resposta.',
  ),
  dpop_key_wrong: grant(
    'the code or refresh token is bound to the key of another DPoP proof',
    'O código ou refresh token pertence à chave de outra prova DPoP.',
  ),
  token_key_wrong: refused(
    'invalid_token',
    'the access token is bound to the key of another DPoP proof',
    'O token de acesso pertence à chave de outra prova DPoP.',
  ),

  token_of_another_client: grant(
    'the token was issued to another client',
    'O token foi emitido para outro aplicativo.',
  ),

  grant_type_unsupported: refused(
    'unsupported_grant_type',
    'grant_type must be authorization_code or refresh_token',
    'O grant_type deve ser authorization_code ou refresh_token.',
  ),
  response_type_unsupported: refused(
    'unsupported_response_type',
    'response_type must be code',
    'O response_type deve ser code.',
  ),
  response_mode_unsupported: request('response_mode must be query', 'O response_mode, se enviado, deve ser query.'),
  request_object_unsupported: refused(
    'request_not_supported',
    'the request parameter is not supported',
    'O parâmetro request não é aceito; envie cada parâmetro por si.',
  ),
  request_uri_unsupported: refused(
    'request_uri_not_supported',
    'the request_uri parameter is not supported',
    'O parâmetro request_uri não é aceito; envie cada parâmetro por si.',
  ),
  request_uri_pushed: request(
    'request_uri cannot be pushed',
    'O parâmetro request_uri não pode ser enviado a este endereço.',
  ),
  request_uri_invalid: refused(
    'invalid_request_uri',
    'the request_uri is unknown, used, expired or of another client',
    'O request_uri é desconhecido, já foi usado, venceu ou é de outro aplicativo. Volte ao aplicativo e comece de novo.',
  ),
  push_required: request(
    'this client must push its authorization requests',
    'Este aplicativo precisa enviar antes o pedido de autorização (PAR).',
  ),
  scope_invalid: refused(
    'invalid_scope',
    'a scope is missing, unknown or exceeds what was granted',
    'Um escopo falta, é desconhecido ou vai além do que foi concedido.',
  ),
  target_invalid: refused(
    'invalid_target',
    'the resource is unknown or was not granted',
    'O recurso é desconhecido ou não foi concedido.',
  ),
  login_required: refused(
    'login_required',
    'the resource owner has to log in, and prompt=none allows no page',
    'O viajante precisa entrar, e prompt=none não permite mostrar página.',
  ),
  consent_required: refused(
    'consent_required',
    'the resource owner has to consent, and prompt=none allows no page',
    'O viajante precisa autorizar, e prompt=none não permite mostrar página.',
  ),
  access_denied: refused('access_denied', 'the resource owner denied the request', 'O viajante recusou o pedido.'),
} as const satisfies Readonly<Record<string, ErrorAnswer>>;

export type OAuthReason = keyof typeof OAUTH_ERRORS;

export class OAuthError extends ProtocolError {
  override readonly name = 'OAuthError';

  constructor(reason: OAuthReason, options?: ErrorOptions) {
    super(reason, OAUTH_ERRORS[reason], options);
  }
}

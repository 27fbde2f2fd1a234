import { OAuthError } from '../oauth-error.js';
import type { Parameters } from '#identity';

/** `response_type` is `code` and nothing else. @throws OAuthError `parameter_missing`, `response_type_unsupported` */
export const checkResponseType = (parameters: Parameters): void => {
  if (parameters.required('response_type') !== 'code') throw new OAuthError('response_type_unsupported');
};

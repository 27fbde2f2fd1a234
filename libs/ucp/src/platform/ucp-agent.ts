import { dictionaryIn, isAskable } from '#remote';
import { UcpError } from '../ucp-error.js';

const LONGEST = 2_000;

const flawed = (content: string) => new UcpError(400, 'invalid_profile_url', content);

/** The address of the profile that `UCP-Agent` names (RFC 8941 §3.2). @throws UcpError `invalid_profile_url` */
export const profileInHeader = (header: string | string[] | undefined, allowsHttp: boolean): string => {
  const text = Array.isArray(header) ? header.join(', ') : header;
  if (text === undefined) throw flawed('Falta o cabeçalho UCP-Agent, com o endereço do perfil da plataforma.');
  const [address] = dictionaryIn(text)?.get('profile') ?? [];
  return profileAddress(address, allowsHttp);
};

/** The address of a profile, as it was given. @param allowsHttp on loopback names. @throws UcpError `invalid_profile_url` */
export const profileAddress = (address: unknown, allowsHttp: boolean): string => {
  const isAddress = typeof address === 'string' && address.length <= LONGEST && URL.canParse(address);
  if (!isAddress || address.includes('#') || !isAskable(new URL(address), allowsHttp))
    throw flawed('O endereço do perfil da plataforma deve ser um texto com um endereço https.');
  return address;
};

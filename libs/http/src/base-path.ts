import { API, type BaseUrls } from './base-urls.js';

/**
 * Where a URL of a request leads here, when the service's addresses have a path: `/login/oauth/token` of the issuer
 * `https://voos.example/login` is `/oauth/token`. Null where none of them has one. What `isKnown` as it stands stays.
 */
export const stripBasePath = (
  { auth, site, base }: BaseUrls,
  isKnown: (path: string) => boolean,
): ((url: string) => string) | null => {
  const addresses = [auth, site, base.replace(new RegExp(`/${API}$`), '')];
  const paths = addresses.map((address) => new URL(address).pathname).filter((path) => path !== '/');
  if (paths.length === 0) return null;
  return (url) => {
    const [asked = ''] = url.split('?', 1);
    const path = isKnown(asked) ? undefined : paths.find((one) => asked.startsWith(`${one}/`));
    return path === undefined ? url : url.slice(path.length);
  };
};

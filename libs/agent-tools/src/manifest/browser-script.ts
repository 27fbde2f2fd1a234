/** The script of `{site_url}/webmcp.js` as it is served. A value; the class is its own token. */
export abstract class BrowserScript {
  /** Subresource integrity of its bytes: `sha384-…` (W3C SRI). */
  abstract readonly integrity: string;
}

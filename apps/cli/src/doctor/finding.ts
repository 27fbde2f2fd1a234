import { masked } from '#config';

/** What a look at one thing came to; `note`: nothing is wrong, but somebody may want to know. */
export interface Finding {
  readonly what: string;
  readonly state: 'ok' | 'note' | 'WRONG';
  readonly says: string;
}

export const ok = (what: string, says: string): Finding => ({ what, state: 'ok', says });
export const note = (what: string, says: string): Finding => ({ what, state: 'note', says });
export const wrong = (what: string, says: string): Finding => ({ what, state: 'WRONG', says });

/** What TLS says of a certificate that nobody vouches for whom this machine trusts. */
const UNTRUSTED = /unable to (verify|get local issuer)|self.signed certificate/;

/** What `look` finds, or why it could not look. */
export const looked = async (what: string, look: () => Promise<readonly Finding[]>): Promise<readonly Finding[]> => {
  try {
    return await look();
  } catch (error) {
    const says = masked(error instanceof Error ? error.message : String(error));
    return [wrong(what, UNTRUSTED.test(says) ? `${says.trim()}: name its CA (tlsCaFile in its URL)` : says)];
  }
};

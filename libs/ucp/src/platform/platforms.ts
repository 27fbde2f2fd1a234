import { DocumentUnread, type RemoteDocument, type RemoteDocuments, spelled, type Unread } from '#remote';
import type { Platform } from '../asking.js';
import { UcpError } from '../ucp-error.js';
import { VERSION } from '../versions.js';
import type { KnownPlatforms } from './known-platforms.js';
import { type Profile, profileIn } from './profile.js';

/** Which profiles are fetched, and how many are kept. A document of 64 KiB is a fair-sized catalogue of handlers. */
export const OF_PLATFORMS = { largest: 65_536, kept: 200, allowsHttp: true } as const;

/** A platform, and whether it is known without having been asked. */
export interface FoundPlatform {
  readonly platform: Platform;
  readonly isKnown: boolean;
}

/** What there is when a profile is not JSON, as the specification has it. Everything else was not reached. */
const MALFORMED: ReadonlySet<Unread> = new Set<Unread>(['media_type', 'not_an_object', 'too_large']);

/** The platforms of agents: those that are known, and those whose profile can be read. */
export class Platforms {
  private readonly read = new WeakMap<RemoteDocument, Profile | null>();

  constructor(
    private readonly documents: RemoteDocuments,
    private readonly known: KnownPlatforms,
    /** Whether those who are at home on the same machine may use http, and need no keys where they are known. */
    readonly isLocal: boolean,
  ) {}

  /** The platform at this address. @param noOlderThan ms. @throws UcpError `profile_unreachable`, `profile_malformed`, `version_unsupported` */
  async at(address: string, noOlderThan?: number): Promise<FoundPlatform> {
    const asked = spelled(address) ?? address;
    const known = this.known.get(asked);
    const { version, ...profile } = known ?? (await this.fetched(asked, noOlderThan));
    if (version !== VERSION) {
      throw new UcpError(422, 'version_unsupported', `A versão ${version} não é falada aqui; a ${VERSION} é.`);
    }
    return { platform: { profile: address, ...profile }, isKnown: known !== undefined };
  }

  private async fetched(address: string, noOlderThan?: number): Promise<Profile> {
    const document = await this.documents.get(address, noOlderThan).catch((error: unknown) => {
      throw error instanceof DocumentUnread ? unread(error) : error;
    });
    const profile = this.read.has(document) ? this.read.get(document) : profileIn(document.body);
    this.read.set(document, profile ?? null);
    if (profile) return profile;
    throw malformed();
  }
}

const malformed = (cause?: unknown) =>
  new UcpError(422, 'profile_malformed', 'O documento no endereço da plataforma não é um perfil do UCP.', { cause });

/** Why is for the log: who asks may have named an address to find out what is there. */
const unread = (cause: DocumentUnread): UcpError => {
  if (cause.reason === 'busy') {
    const content = 'Perfis demais estão sendo lidos; tente de novo em instantes.';
    return new UcpError(503, 'service_unavailable', content, { cause, severity: 'recoverable', retryAfter: 1 });
  }
  if (cause.reason === 'address_flawed')
    return new UcpError(400, 'invalid_profile_url', 'O endereço do perfil da plataforma é inválido.', { cause });
  if (MALFORMED.has(cause.reason)) return malformed(cause);
  return new UcpError(424, 'profile_unreachable', 'Não foi possível ler o perfil da plataforma.', { cause });
};

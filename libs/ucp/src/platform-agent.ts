import { hashOf } from '#identity';
import { strangerId } from '#kernel';

/** The agent that a platform is: the client of its profile's address, whether it has a token or not (docs/ucp.md). */
export const agentOf = ({ profile }: { readonly profile: string }): string => strangerId('metadata', hashOf(profile));

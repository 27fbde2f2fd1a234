import { DomainError } from '#kernel';
import type { FastifyRequest } from 'fastify';

/** What the HTTP message signatures of a request come to (RFC 9421; draft-ietf-webbotauth-httpsig-protocol-01, Verifier Outcomes). */
export type RequestSignature =
  | {
      readonly outcome: 'verified';
      /** The host whose agent signed: one of the keys that it publishes did. */
      readonly host: string;
      /** Whether it was signed for this request alone: for its method, path and body, and with a nonce. */
      readonly coversRequest: boolean;
    }
  /** Nothing is known of it: its keys cannot be had now, or it is of a kind that is not read here. It counts as unsigned. */
  | { readonly outcome: 'unverified' }
  /** `reason`: a stable word for the answer. */
  | { readonly outcome: 'wrong'; readonly reason: string };

declare module 'fastify' {
  interface FastifyRequest {
    /** What its signature came to; null: it has none by which an agent says who it is. */
    signature: RequestSignature | null;
  }
}

/** The part of a request that signatures are made over. */
export type SignedRequest = Pick<FastifyRequest, 'method' | 'headers' | 'url' | 'originalUrl' | 'urls'>;

/** Verification of the signatures of requests, as a port. Neither of the two throws. */
export abstract class RequestSignatures {
  /** Of a read: at once, by what is in memory. */
  abstract ofRead(request: SignedRequest): RequestSignature | null;
  /** Of a write: it waits for the keys, a second at most. */
  abstract ofWrite(request: SignedRequest): Promise<RequestSignature | null>;
}

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Judges a signature where there is one, before the body of a write is read. @throws DomainError `invalid_signature` */
export const judgeSignature = (signatures: RequestSignatures, request: FastifyRequest): Promise<void> | void => {
  if (request.headers['signature-input'] === undefined) return;
  if (READS.has(request.method)) {
    request.signature = signatures.ofRead(request);
    return;
  }
  return signatures.ofWrite(request).then((signature) => {
    request.signature = signature;
    if (signature?.outcome === 'wrong') throw new DomainError('invalid_signature', { reason: signature.reason });
  });
};

import type { Message, Severity } from './envelope.js';

interface UcpErrorOptions extends ErrorOptions {
  /** What is said about parts of the request; absent: the error itself is the one message. */
  readonly messages?: readonly Message[];
  /** What a platform can do about it; absent: nothing that it does makes the same request succeed. */
  readonly severity?: Severity;
}

/** A refusal of the protocol (UCP 2026-04-08, Core Specification, Error Codes): the request itself was not looked at. */
export class UcpError extends Error {
  override readonly name = 'UcpError';
  readonly messages: readonly Message[];

  /** `status`: of HTTP. `code`: as the specification names it. `content`: for people. */
  constructor(
    readonly status: number,
    readonly code: string,
    readonly content: string,
    options: UcpErrorOptions = {},
  ) {
    super(`${code}: ${content}`, options);
    const { severity = 'unrecoverable', messages = [{ type: 'error', code, content, severity }] } = options;
    this.messages = messages;
  }
}

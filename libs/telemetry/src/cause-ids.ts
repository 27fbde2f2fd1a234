import type { Cause } from '#kernel';
import { type IdGenerator, RandomIdGenerator } from '@opentelemetry/sdk-trace';

/** Gives the SDK the ids of a cause for its span, and random ones for all others. */
export class CauseIds implements IdGenerator {
  private readonly random = new RandomIdGenerator();
  private cause: Cause | null = null;

  /** What `begin` answers; the root span that it begins, without waiting for anything, is that of `cause`. */
  during<Begun>(cause: Cause, begin: () => Begun): Begun {
    this.cause = cause;
    try {
      return begin();
    } finally {
      this.cause = null;
    }
  }

  generateTraceId(): string {
    return this.cause ? traceIdOf(this.cause) : this.random.generateTraceId();
  }

  generateSpanId(): string {
    return this.cause?.causationId ?? this.random.generateSpanId();
  }
}

/** The id of the trace that a cause has its place in. */
export const traceIdOf = ({ correlationId }: Cause): string => correlationId.replaceAll('-', '');

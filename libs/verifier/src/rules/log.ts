import type { AuditedEvent, Breach } from '../audited-event.js';
import { MandateHistory } from './mandate.js';

/** All rules that hold within and between streams, for a whole log read once in its order. */
export class LogRules {
  private readonly mandates = new Map<string, MandateHistory>();

  /** What the next event of the log breaks. */
  next(event: AuditedEvent): readonly Breach[] {
    const { stream } = event;
    if (!stream.startsWith('mandate-')) return [];
    const known = this.mandates.get(stream) ?? new MandateHistory(stream);
    this.mandates.set(stream, known);
    return known.next(event).breaches;
  }
}

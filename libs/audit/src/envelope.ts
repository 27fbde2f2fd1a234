import type { RawEvent } from '#event-store';
import { type AuditedEvent, type AuditedMetadata, canonicalJson, type Json } from '#verifier';

/** The metadata of an event as every event of this program has them: canonical, and of nothing but plain text. */
const METADATA =
  /^\{"\$causationId":"[^"\\]*","\$correlationId":"[^"\\]*","actor":\{"clientId":(?:null|"([^"\\]*)"),"holder":(?:null|"([^"\\]*)")\},"eventId":"([^"\\]*)","hash":"([0-9a-f]{64})",("occurredAt":"([^"\\]*)",(?:"party":\{"clientId":"([^"\\]*)","holder":"([^"\\]*)"\},)?"schemaVersion":(\d+)\})$/;

const HASH_MEMBER = '"hash":"",'.length + 64;

/** What an audit needs of an event's metadata, read without parsing them as JSON wherever they are of the usual form. */
export interface Envelope {
  readonly metadata: AuditedMetadata;
  /** Canonical JSON of all of it but `hash`, which is what the hash covers. */
  readonly unchained: string;
}

/** Reads the envelope of an event; null: that is no JSON of such a form. */
export const envelopeOf = ({ metadata: raw }: Pick<RawEvent, 'metadata'>): Envelope | null => {
  const [, clientId, holder, eventId, hash, tail, occurredAt, agent, traveller, version] = METADATA.exec(raw) ?? [];
  if (!tail || eventId === undefined || hash === undefined || occurredAt === undefined || version === undefined)
    return parsedEnvelope(raw);
  const end = raw.length - tail.length;
  return {
    metadata: {
      eventId,
      occurredAt,
      actor: { holder: holder ?? null, clientId: clientId ?? null },
      ...(agent !== undefined && traveller !== undefined && { party: { holder: traveller, clientId: agent } }),
      schemaVersion: Number(version),
      hash,
    },
    unchained: raw.slice(0, end - HASH_MEMBER) + raw.slice(end),
  };
};

const parsedEnvelope = (raw: string): Envelope | null => {
  const parsed = parsedObject(raw);
  if (!parsed) return null;
  const { hash, ...unchained } = parsed;
  const { eventId, occurredAt, actor, party, schemaVersion } = parsed;
  const isNamed = typeof eventId === 'string' && typeof occurredAt === 'string';
  if (typeof hash !== 'string' || !/^[0-9a-f]{64}$/.test(hash)) return null;
  if (!isNamed || !isActor(actor) || typeof schemaVersion !== 'number') return null;
  if (party !== undefined && !isParty(party)) return null;
  const metadata = { eventId, occurredAt, actor, ...(party && { party }), schemaVersion, hash };
  return { metadata, unchained: canonicalJson(unchained) };
};

const isActor = (actor: unknown): actor is AuditedMetadata['actor'] => {
  if (!isJson(actor)) return false;
  return [actor['holder'], actor['clientId']].every((one) => one === null || typeof one === 'string');
};

const isParty = (party: unknown): party is NonNullable<AuditedMetadata['party']> =>
  isJson(party) && typeof party['holder'] === 'string' && typeof party['clientId'] === 'string';

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

const parsedObject = (raw: string): Json | null => {
  try {
    const value: unknown = JSON.parse(raw);
    return isJson(value) ? value : null;
  } catch {
    return null;
  }
};

/** The event with its data parsed; null: they are no JSON object. */
export const auditedEvent = (
  { stream, revision, type, data }: RawEvent,
  metadata: AuditedMetadata,
): AuditedEvent | null => {
  const parsed = parsedObject(data);
  return parsed && { stream, revision, type, data: parsed, metadata };
};

import type { EventSchemas } from '#events';
import { z } from 'zod';

/** What a sample holds: `full` all that a schema allows, `bare` only what it demands, with null wherever it may stand. */
export type Fullness = 'full' | 'bare';

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Members that hold what a projection knows under another name, or in whose value it sees more than a value. */
const MEANT: Readonly<Record<string, string>> = {
  ending: 'mandateId',
  openMandates: 'mandateId',
  failure: 'payment_declined',
};

/** An event's data as its schema has it: each text names its member, so that one that is stored elsewhere is seen. */
export const sampleOf = (schema: EventSchemas[string], fullness: Fullness): object => {
  const sample = valueOf(z.toJSONSchema(schema), '', fullness);
  return schema.parse(sample) as object;
};

const valueOf = (schema: JsonSchema, member: string, fullness: Fullness): unknown => {
  const isFull = fullness === 'full';
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.type))
    return valueOf({ anyOf: schema.type.map((type) => ({ ...schema, type })) }, member, fullness);
  if (schema.anyOf) {
    const chosen = schema.anyOf.find(({ type }) => (type === 'null') !== isFull);
    return valueOf(chosen ?? schema.anyOf[0] ?? {}, member, fullness);
  }
  if (schema.enum) return schema.enum.find((one) => one === MEANT[member]) ?? schema.enum.at(isFull ? 0 : -1);
  switch (schema.type) {
    case 'null':
      return null;
    case 'boolean':
      return isFull;
    case 'integer':
      return numberOf(member);
    case 'string':
      return schema.pattern ? instantOf(member) : (MEANT[member] ?? member);
    case 'array':
      return isFull ? [valueOf(schema.items as JsonSchema, member, fullness)] : [];
    case 'object': {
      const members = Object.entries(schema.properties ?? {}) as [string, JsonSchema][];
      const present = members.filter(([name]) => isFull || schema.required?.includes(name));
      return Object.fromEntries(present.map(([name, of]) => [name, valueOf(of, name, fullness)]));
    }
    default:
      throw new Error(`no sample of ${JSON.stringify(schema)}`);
  }
};

const numberOf = (name: string): number =>
  Array.from(name).reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % 60 || 60;

const instantOf = (name: string): string => new Date(Date.UTC(2026, 2, 1, 12, numberOf(name))).toISOString();

import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { schemaOf } from './json-schema.js';

class Part {
  @ApiProperty({ type: 'integer', minimum: 1, example: 7 })
  readonly amount: number;
}

class Whole {
  @ApiProperty({ description: 'Um texto.' })
  readonly text: string;

  @ApiProperty()
  readonly flag: boolean;

  @ApiPropertyOptional({ enum: ['a', 'b'], isArray: true, default: ['a'] })
  readonly choices?: readonly string[];

  @ApiProperty({ type: String, nullable: true, format: 'date' })
  readonly day: string | null;

  @ApiProperty({ type: () => Part, nullable: true, description: 'A melhor.' })
  readonly best: Part | null;

  @ApiProperty({ type: [Part] })
  readonly parts: readonly Part[];
}

class More extends Whole {
  @ApiProperty({ enum: ['x'] })
  readonly more: 'x';
}

const part = { type: 'object', properties: { amount: { type: 'integer', minimum: 1 } }, required: ['amount'] };
const whole = {
  text: { type: 'string', description: 'Um texto.' },
  flag: { type: 'boolean' },
  choices: { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, default: ['a'] },
  day: { type: ['string', 'null'], format: 'date' },
  best: { ...part, type: ['object', 'null'], description: 'A melhor.' },
  parts: { type: 'array', items: part },
};

describe('the JSON Schema of a class', () => {
  it('is what its fields say, whole in itself: kinds, lists, null, other classes', () => {
    expect(schemaOf(Whole)).toEqual({
      type: 'object',
      properties: whole,
      required: ['text', 'flag', 'day', 'best', 'parts'],
    });
  });

  it('has the fields of the class it extends', () => {
    expect(schemaOf(More).properties).toEqual({ ...whole, more: { type: 'string', enum: ['x'] } });
  });

  it('shows examples where they are wanted', () => {
    const withExample = { ...part, properties: { amount: { type: 'integer', minimum: 1, examples: [7] } } };
    expect(schemaOf(Part, true)).toEqual(withExample);
    expect(schemaOf(Whole, true).properties['parts']).toEqual({ type: 'array', items: withExample });
  });
});

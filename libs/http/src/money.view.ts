import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { CURRENCIES, type Currency, type Money } from '#kernel';

/** Money as the interface shows it: integer cents with a currency. */
@ApiSchema({ name: 'Money' })
export class MoneyView implements Money {
  @ApiProperty({ type: 'integer', description: 'Valor em centavos.', example: 89900 })
  readonly amount: number;

  @ApiProperty({ enum: CURRENCIES, example: 'BRL' })
  readonly currency: Currency;
}

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

/** What a total is made of: `base` + `taxes`. */
@ApiSchema({ name: 'PriceParts' })
export class PricePartsView {
  @ApiProperty({ type: MoneyView, description: 'A tarifa, sem as taxas.' })
  readonly base: MoneyView;

  @ApiProperty({ type: MoneyView, description: 'As taxas de embarque.' })
  readonly taxes: MoneyView;
}

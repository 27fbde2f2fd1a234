import { Injectable } from '@nestjs/common';
import { Bookings } from '#booking';
import { FlightDocuments } from '#catalog';
import { Mandates } from '#mandate';
import { Orders } from '#order';

/** What tools and resources are read from. */
@Injectable()
export class Readers {
  constructor(
    readonly flights: FlightDocuments,
    readonly bookings: Bookings,
    readonly mandates: Mandates,
    readonly orders: Orders,
  ) {}
}

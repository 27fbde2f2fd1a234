import { z } from 'zod';
import { BAGGAGE } from '#events';

const passenger = z.object({
  givenName: z.string().min(1).max(100),
  familyName: z.string().min(1).max(100),
  birthDate: z
    .string()
    .max(10)
    .optional()
    .describe('AAAA-MM-DD. Sem ela, é um adulto; com menos de 2 anos no dia do voo, precisa de um adulto só seu.'),
  document: z.object({ type: z.string().min(1).max(20), number: z.string().min(1).max(40) }).optional(),
});

/** Who flies, in the order of the tickets, as our own bookings have it (docs/interface.md, endpoint 5). */
export const passengersForm = z.array(passenger).max(9).describe('Quem voa, um por assento, na ordem dos bilhetes.');

const segment = z.object({
  flightNumber: z.string(),
  from: z.string().describe('Aeroporto de origem (IATA).'),
  to: z.string().describe('Aeroporto de destino (IATA).'),
  departureDate: z.string().nullable().describe('Data local da partida; null: o voo não tem data.'),
  departureTime: z.string().describe('Hora local da partida, HH:mm.'),
  departureAt: z.string().nullable().describe('O instante da partida.'),
  arrivalTime: z.string().describe('Hora local da chegada, HH:mm.'),
  arrivalDayOffset: z.int().describe('Quantos dias depois da partida chega.'),
  fareCode: z.string(),
  fareName: z.string(),
  baggage: z.enum(BAGGAGE),
  hasCheckedBag: z.boolean(),
});
export type Segment = z.infer<typeof segment>;

const common = {
  segments: z.array(segment),
  conditions: z
    .object({ description: z.string() })
    .nullable()
    .describe('O que volta, se a viagem for cancelada, como nas tarifas; null: nada foi prometido.'),
};

/** The member `flights` of a checkout. */
export const flightsOfCheckout = z.object({ ...common, passengers: passengersForm.optional() });

const ticket = z.object({
  code: z.string(),
  passenger: passenger.nullable().describe('Quem voa com ele; null: ninguém foi informado.'),
});

/** The member `flights` of an order. */
export const flightsOfOrder = z.object({ ...common, locator: z.string(), tickets: z.array(ticket) });

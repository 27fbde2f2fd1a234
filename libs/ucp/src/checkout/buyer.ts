import { EMAIL, type People, PHONE } from '#booking';
import type { ErrorMessage } from '../envelope.js';
import type { Buyer, StoredSession } from './stored-session.js';

const wrong = (member: keyof Buyer, content: string): ErrorMessage => ({
  type: 'error',
  code: `invalid_${member}`,
  content,
  severity: 'recoverable',
  path: `$.buyer.${member}`,
});

/** What of a buyer cannot be used to reach them. */
export const buyerMessages = ({ email, phone_number: phone }: Buyer = {}): readonly ErrorMessage[] => [
  ...(email === undefined || EMAIL.test(email) ? [] : [wrong('email', 'Não é um endereço de e-mail.')]),
  ...(phone === undefined || PHONE.test(phone) ? [] : [wrong('phone_number', 'Não é um telefone, com DDD.')]),
];

/** Who flies and how to reach them, as a booking keeps it. */
export const peopleOf = ({ buyer, travellers }: Pick<StoredSession, 'buyer' | 'travellers'>): People => ({
  ...contactOf(buyer),
  ...(travellers && { travellers }),
});

const contactOf = ({ email, phone_number: phone }: Buyer = {}): People =>
  email === undefined && phone === undefined
    ? {}
    : { contact: { ...(email !== undefined && { email }), ...(phone !== undefined && { phone }) } };

/** In whose name it is bought; null: nobody was named. */
export const nameOf = ({ first_name: first = '', last_name: last = '' }: Buyer = {}): string | null =>
  `${first} ${last}`
    .slice(0, 120)
    .replace(/[\p{C}\p{DI}]/gu, ' ')
    .trim() || null;

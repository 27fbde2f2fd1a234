import type { Amount, AuditedMetadata, Json } from '../audited-event.js';

/** An event's data is not of the form that its type has. */
export class WrongForm extends Error {
  override readonly name = 'WrongForm';
}

/** A member that is text. @throws WrongForm */
export const text = (data: Json, name: string): string => {
  const value = data[name];
  if (typeof value !== 'string') throw new WrongForm(`${name} is no text`);
  return value;
};

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Whether a text is a time that there is: RFC 3339 UTC with milliseconds, so that the order of texts is that of times. */
export const isInstant = (value: string): boolean => {
  if (!INSTANT.test(value)) return false;
  const time = new Date(value);
  return !Number.isNaN(time.getTime()) && time.toISOString() === value; // of 31 February it makes 3 March
};

/** A member that is an instant. @throws WrongForm */
export const instant = (data: Json, name: string): string => {
  const value = text(data, name);
  if (!isInstant(value)) throw new WrongForm(`${name} is no instant`);
  return value;
};

/** A member that is a whole number. @throws WrongForm */
export const integer = (data: Json, name: string): number => {
  const value = data[name];
  if (!Number.isSafeInteger(value)) throw new WrongForm(`${name} is no whole number`);
  return Number(value);
};

/** A member that is an object. @throws WrongForm */
export const object = (data: Json, name: string): Json => {
  const value = data[name];
  if (!isObject(value)) throw new WrongForm(`${name} is no object`);
  return value;
};

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether an object has these members and no other. */
export const hasOnly = (value: Json, names: readonly string[]): boolean =>
  Object.keys(value).length === names.length && names.every((name) => Object.hasOwn(value, name));

/** A member that is an amount, none below zero. @throws WrongForm */
export const amount = (data: Json, name: string): Amount => {
  const value = object(data, name);
  const cents = integer(value, 'amount');
  if (cents < 0) throw new WrongForm(`${name} is below zero`);
  return { amount: cents, currency: text(value, 'currency') };
};

/** A member that is a list of texts. @throws WrongForm */
export const texts = (data: Json, name: string): readonly string[] => {
  const value = data[name];
  if (!Array.isArray(value)) throw new WrongForm(`${name} is no list`);
  return value.map((one: unknown) => {
    if (typeof one !== 'string') throw new WrongForm(`${name} holds what is no text`);
    return one;
  });
};

/** An amount for people, such as `BRL 12.34`. */
export const shown = ({ amount: cents, currency }: Amount): string =>
  `${currency} ${Math.floor(cents / 100)}.${(cents % 100).toString().padStart(2, '0')}`;

export const isSame = (one: Amount, other: Amount): boolean =>
  one.amount === other.amount && one.currency === other.currency;

/** Whether a traveller acted, through no agent. */
export const isTraveller = ({ holder, clientId }: AuditedMetadata['actor'], traveller: string): boolean =>
  holder === traveller && clientId === null;

/** How far apart (ms) the clocks of two processes are believed to be: no process starts on a log further ahead (rule 16). */
export const CLOCKS = 300_000;

/** Whether what another clock says lies between two instants of ours. */
export const isWithin = (at: string, from: string, to: string): boolean =>
  Date.parse(at) >= Date.parse(from) - CLOCKS && Date.parse(at) <= Date.parse(to) + CLOCKS;

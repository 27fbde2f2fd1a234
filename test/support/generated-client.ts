import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';

/** What an agent's developer writes over the generated types: a call of thirty lines, and a purchase with its refusals. */
const BUYER = `
import type { paths } from './api.js';

type Verb = 'get' | 'post' | 'patch' | 'delete';
type Json<Answer> = Answer extends { content: { 'application/json': infer Body } } ? Body : null;
type Outcome<Operation> = Operation extends { responses: infer Answers }
  ? { [Status in keyof Answers]: { status: Status; body: Json<Answers[Status]> } }[keyof Answers]
  : never;
type Sent<Operation> = Operation extends { requestBody?: { content: { 'application/json': infer Body } } } ? Body : never;
type Named<Operation, Place extends string> = Operation extends { parameters: { [In in Place]?: infer Values } } ? Values : never;

export const clientOf =
  (base: string, token: string) =>
  async <Path extends keyof paths, Method extends Verb & keyof paths[Path]>(
    method: Method,
    path: Path,
    sent: {
      body?: Sent<paths[Path][Method]>;
      path?: Named<paths[Path][Method], 'path'>;
      query?: Named<paths[Path][Method], 'query'>;
    } = {},
  ): Promise<Outcome<paths[Path][Method]>> => {
    const names = Object.entries((sent.path ?? {}) as Record<string, unknown>);
    const address = names.reduce((filled, [name, value]) => filled.replace('{' + name + '}', String(value)), String(path));
    const query = new URLSearchParams(Object.entries((sent.query ?? {}) as Record<string, string>));
    const response = await fetch(base + address + '?' + query, {
      method: method.toUpperCase(),
      headers: { authorization: 'Bearer ' + token, ...(sent.body ? { 'content-type': 'application/json' } : {}) },
      ...(sent.body ? { body: JSON.stringify(sent.body) } : {}),
    });
    return { status: response.status, body: await response.json() } as Outcome<paths[Path][Method]>;
  };

export const buy = async (base: string, token: string) => {
  const call = clientOf(base, token);
  const found = await call('get', '/flights', { query: { q: 'AL4012' } });
  if (found.status !== 200) throw new Error('search');
  const [flight] = found.body.items;
  if (!flight) throw new Error('nothing found');

  const missed = await call('post', '/bookings', { body: { flightNumber: flight.flightNumber, fareCode: 'NENHUMA' } });
  if (missed.status !== 422 || missed.body.error !== 'invalid_fare') throw new Error('fare');
  const { details } = missed.body;
  if (!details || Array.isArray(details)) throw new Error('no fares');
  const [cheapest] = [...details.fares].sort((one, other) => one.price - other.price);

  const booked = await call('post', '/bookings', {
    body: { flightNumber: flight.flightNumber, fareCode: cheapest?.code ?? '', passengers: 1 },
  });
  if (booked.status !== 201) throw new Error(booked.body.doc_url);
  const granted = (amount: number) => call('post', '/mandates', { body: { limit: { amount, currency: 'BRL' } } });
  const order = (mandateId: string, cardNumber: string) =>
    call('post', '/orders', {
      body: { bookingId: booked.body.id, mandateId, payment: { cardNumber, expiry: '12/30', cvc: '123' } },
    });

  const small = await granted(100);
  if (small.status !== 201) throw new Error(small.body.message);
  const refused = await order(small.body.id, '4242424242424242');
  if (refused.status !== 422 || refused.body.error !== 'mandate_limit_exceeded') throw new Error('not refused');
  // @ts-expect-error No order is refused by what only a search of flights refuses.
  if (refused.body.error === 'flight_not_found') throw new Error('never');
  const needed = refused.body.details?.required.amount ?? 0;

  const enough = await granted(needed);
  if (enough.status !== 201) throw new Error(enough.body.message);
  const asked = await order(enough.body.id, '4000000000003220');
  if (asked.status !== 402 || asked.body.error !== 'payment_challenge_required') throw new Error('not asked');
  const challenge: string = asked.body.challenge.url;
  const waiting = await order(enough.body.id, '4242424242424242');
  if (waiting.status !== 409 || waiting.body.error !== 'order_in_progress') throw new Error('not in progress');
  const same: boolean = waiting.body.order.id === asked.body.order.id;

  const again = await call('post', '/bookings', {
    body: { flightNumber: flight.flightNumber, fareCode: cheapest?.code ?? '', passengers: 1 },
  });
  const another = await granted(needed);
  if (again.status !== 201 || another.status !== 201) throw new Error('again');
  const paid = await call('post', '/orders', {
    body: {
      bookingId: again.body.id,
      mandateId: another.body.id,
      payment: { cardNumber: '4242424242424242', expiry: '12/30', cvc: '123' },
    },
  });
  if (paid.status !== 201) throw new Error(paid.body.doc_url);
  const receipt = await call('get', '/orders/{id}/receipt', { path: { id: paid.body.id } });
  if (receipt.status !== 200) throw new Error(receipt.body?.doc_url);
  return { needed, challenge, same, status: paid.body.status, total: receipt.body.total, explained: refused.body.doc_url };
};
`;

interface Purchase {
  readonly needed: number;
  readonly challenge: string;
  readonly same: boolean;
  readonly status: string;
  readonly total: { readonly amount: number; readonly currency: string };
  readonly explained: string;
}

const OPTIONS: ts.CompilerOptions = {
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  types: [],
  strict: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
};

/**
 * Generates types from an OpenAPI document, compiles a client over them in this folder, and gives its purchase.
 *
 * @throws Error with the words of the compiler
 */
export const generatedBuyer = async (
  document: string,
  folder: string,
): Promise<(base: string, token: string) => Promise<Purchase>> => {
  await mkdir(folder, { recursive: true });
  const file = join(folder, 'buyer.ts');
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(
    join(folder, 'api.d.ts'),
    astToString(await openapiTS(document, { defaultNonNullable: false, silent: true })),
  );
  await writeFile(file, BUYER);
  const program = ts.createProgram([file], OPTIONS);
  const faults = [...ts.getPreEmitDiagnostics(program), ...program.emit().diagnostics];
  if (faults.length > 0)
    throw new Error(
      ts.formatDiagnostics(faults, {
        getCanonicalFileName: (name) => name,
        getCurrentDirectory: () => folder,
        getNewLine: () => '\n',
      }),
    );
  const { buy } = (await import(pathToFileURL(join(folder, 'buyer.js')).href)) as {
    readonly buy: (base: string, token: string) => Promise<Purchase>;
  };
  return buy;
};

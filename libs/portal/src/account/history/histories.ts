import { Readable } from 'node:stream';
import { Injectable, StreamableFile } from '@nestjs/common';
import { exportBundle, Integrities, type Integrity, NothingToExport } from '#audit';
import { EventStore } from '#event-store';
import { ConcurrencyLimit } from '#http';
import { NotSealed, TransparencyLog } from '#transparency';
import type { About } from '#verifier';
import { html, type Html } from '#site';

/** A bundle has a line for each event of its streams, and there may be tens of thousands: they are looked for one bundle at a time. */
const BOUNDS = { running: 1, waiting: 16, perCaller: 2 };

/** The recorded history of what a traveller looks at: whether it is intact, and all of it as a bundle. */
@Injectable()
export class Histories {
  private readonly limit = new ConcurrencyLimit(BOUNDS);
  private readonly integrities = new Integrities(this);

  constructor(
    readonly events: EventStore,
    readonly log: TransparencyLog,
  ) {}

  integrityOf(stream: string): Promise<Integrity> {
    return this.integrities.of(stream);
  }

  /** A holder's bundle, made as it is read. @throws NotSealed; Overloaded */
  bundle(about: About, holder: string): Promise<StreamableFile> {
    return this.limit.run(holder, () => this.begun(about));
  }

  private async begun(about: About): Promise<StreamableFile> {
    try {
      const { lines } = await exportBundle(about, this);
      const pieces = piecesOf(lines);
      const { value: first } = await pieces.next(); // whose failure can still be said
      return new StreamableFile(Readable.from(afterFirst(first ?? '', pieces), { highWaterMark: 1 }));
    } catch (error) {
      throw error instanceof NothingToExport ? new NotSealed(error.message) : error;
    }
  }
}

/** Characters that are sent at once. */
const PIECE = 16 * 1024;

async function* piecesOf(lines: AsyncIterable<string>): AsyncGenerator<string, undefined> {
  let piece = '';
  for await (const line of lines) {
    piece += line;
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

async function* afterFirst(first: string, others: AsyncIterable<string>): AsyncGenerator<string> {
  yield first;
  yield* others;
}

/** What the history is of, by the name that the page of verification has for it, and where it is downloaded. */
export interface HistoryOf {
  readonly kind: 'mandato' | 'pedido';
  readonly id: string;
  readonly path: string;
}

/** "Histórico íntegro": what the record of this page rests on, one press to verify it, and the way to take it along. */
export const historyPart = ({ isIntact, events, sealed, checkpoint }: Integrity, { kind, id, path }: HistoryOf): Html =>
  html`<section class="part" aria-labelledby="historico">
    <h2 id="historico">${isIntact ? 'Histórico íntegro' : 'Histórico com problemas'}</h2>
    ${
      isIntact
        ? html`<p>${sealedWords(events, sealed)} ${checkpoint && checkpointWords(checkpoint)}</p>`
        : html`<p class="alert">
            O histórico gravado não confere com as regras. Baixe-o, guarde-o e fale com quem opera este serviço.
          </p>`
    }
    <p class="actions on-screen">
      <a class="button quiet" href="/verificar?${kind}=${encodeURIComponent(id)}">Conferir no meu navegador</a>
      <a class="button quiet" href="${path}" download>Baixar o histórico</a>
    </p>
  </section>`;

const sealedWords = (events: number, sealed: number): string => {
  const all = events === 1 ? 'O único evento está' : `Os ${events} eventos estão`;
  if (sealed === events) return `${all} encadeados e no registro público.`.replace('está encadeados', 'está encadeado');
  return `${events === 1 ? 'O único evento está gravado' : `Os ${events} eventos estão encadeados`}; ${sealed} já no registro público, o resto entra em instantes.`;
};

const checkpointWords = ({ origin, size, root }: NonNullable<Integrity['checkpoint']>): Html =>
  html`<span class="small"
    >Ponto de controle: ${origin}, ${size.toLocaleString('pt-BR')} entradas, raiz <code>${root}</code></span
  >`;

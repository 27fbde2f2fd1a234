import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { nearestName } from '#kernel';
import { plain } from './flights.projection.js';
import type { FlightSearch } from './matching-flights.js';
import { meaningOf, type Places } from './places.js';

type Asked = Pick<FlightSearch, 'q' | 'from' | 'to'>;

@ApiSchema({ name: 'SuggestedSearch' })
class SuggestedQuery implements Asked {
  @ApiPropertyOptional({ example: 'Recife' })
  readonly q?: string;

  @ApiPropertyOptional({ example: 'Campinas' })
  readonly from?: string;

  @ApiPropertyOptional({ example: 'REC' })
  readonly to?: string;
}

/** A search that finds flights, in the place of one that found none. */
@ApiSchema({ name: 'SearchSuggestion' })
export class SuggestionView {
  @ApiProperty({ description: 'Os parâmetros da busca sugerida.' })
  readonly query: SuggestedQuery;

  @ApiProperty({ type: 'integer', description: 'Quantos voos ela encontra.', example: 8 })
  readonly count: number;

  @ApiProperty({ description: 'A sugestão para pessoas.', example: 'Você quis dizer “Recife”?' })
  readonly message: string;
}

export const SUGGESTIONS = {
  of: SuggestionView,
  description: 'Só onde nada foi encontrado: buscas que encontram voos, a mais provável primeiro.',
};

const MOST = 3;
/** Names that a misspelled one is compared with, and by how many letters they may be longer or shorter. */
const [NAMES, LETTERS] = [500, 3];
/** Words that are parted into a place to leave from and one to go to. */
const WORDS = 8;

/** What to search for instead where a search found nothing: each finds flights, the likeliest first. `count`: how many one finds. */
export const suggestionsFor = (
  search: FlightSearch,
  places: Places,
  count: (search: FlightSearch) => number,
): readonly SuggestionView[] => {
  const suggestions = new Map<string, SuggestionView>();
  for (const { message, ...asked } of candidates(search, places)) {
    const query = withoutBlanks(asked);
    const found = Object.keys(query).length > 0 ? count(query) : 0;
    const text = message ?? `Voos ${wordsFor(query)}`;
    if (found > 0) suggestions.set(JSON.stringify(query), { query, count: found, message: text });
    if (suggestions.size === MOST) break;
  }
  return [...suggestions.values()];
};

type Candidate = Asked & { readonly message?: string };

function* candidates({ q = '', from = '', to = '' }: FlightSearch, places: Places): Iterable<Candidate> {
  if (q.trim() !== '') {
    if (from === '' && to === '') yield* journeys(q, places);
    const place = placeIn(q, places);
    if (place !== null) yield { from: place, to };
    const name = spelled(q, places);
    if (name !== null) {
      yield { q: name, from, to, message: meantBy(name) };
      yield { q: name, message: meantBy(name) };
    }
    yield { q };
  }
  const [origin, destination] = [corrected(from, places), corrected(to, places)];
  if (origin !== from || destination !== to) {
    const names = [origin !== from && origin, destination !== to && destination].filter((name) => name !== false);
    yield { from: origin, to: destination, message: meantBy(names.join(' e ')) };
  }
  if (q.trim() !== '') yield { from: origin, to: destination };
  yield { to: destination };
  yield { from: origin };
}

const meantBy = (name: string): string => `Você quis dizer “${name}”?`;

/** A text as from one place to another: "recife são paulo". */
function* journeys(q: string, places: Places): Iterable<Asked> {
  const words = meaningOf(q);
  if (words.length > WORDS) return;
  for (let parted = 1; parted < words.length; parted += 1) {
    const [from, to] = [
      placeIn(words.slice(0, parted).join(' '), places),
      placeIn(words.slice(parted).join(' '), places),
    ];
    if (from !== null && to !== null) yield { from, to };
  }
}

/** The place that a text means, in words that mean the same again; null: it means none. */
const placeIn = (text: string, places: Places): string | null => {
  const codes = places.meant(text);
  return codes.length === 0 ? null : (places.textOf(codes) ?? text);
};

const corrected = (text: string, places: Places): string =>
  text.trim() === '' || places.meant(text).length > 0 ? text : (spelled(text, places) ?? text);

/** The city or the airport that was meant by a misspelled text; null: none is near. */
const spelled = (text: string, { airports }: Places): string | null => {
  const given = meaningOf(text).join(' ');
  const names = new Map(airports.flatMap(({ city, name }) => [city, name ?? city].map((one) => [plain(one), one])));
  const near = [...names.keys()].filter((name) => Math.abs(name.length - given.length) <= LETTERS);
  return names.get(nearestName(given, near.slice(0, NAMES)) ?? '') ?? null;
};

const withoutBlanks = ({ q = '', from = '', to = '' }: Asked): Asked => ({
  ...(q.trim() !== '' && { q }),
  ...(from.trim() !== '' && { from }),
  ...(to.trim() !== '' && { to }),
});

const wordsFor = ({ q, from, to }: Asked): string =>
  [q !== undefined && `com “${q}”`, from !== undefined && `de ${from}`, to !== undefined && `para ${to}`]
    .filter((words) => words !== false)
    .join(' ');

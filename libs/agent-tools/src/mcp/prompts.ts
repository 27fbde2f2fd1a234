import {
  type GetPromptRequestParams,
  type GetPromptResult,
  type Prompt,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { isDate } from '#catalog';
import { amountIn, moneyText } from '#site';

const BUY_UNDER_BUDGET = 'buy_under_budget';

/** The prompts as MCP lists them: what a traveller may start with one choice. */
export const PROMPTS: Prompt[] = [
  {
    name: BUY_UNDER_BUDGET,
    title: 'Comprar um voo dentro de um orçamento',
    description: 'Busca, compara, pede a sua confirmação e compra um voo, sem passar do valor que você disser.',
    arguments: [
      { name: 'to', description: 'Destino: cidade ou código do aeroporto, como Recife ou REC.', required: true },
      {
        name: 'budget',
        description: 'O máximo para todos os passageiros, em reais: 1500 ou 1.500,00.',
        required: true,
      },
      { name: 'from', description: 'Origem: cidade ou código do aeroporto. Sem informar, qualquer uma.' },
      { name: 'date', description: 'O dia da partida, AAAA-MM-DD. Sem informar, a próxima partida.' },
      { name: 'passengers', description: 'Passageiros, de 1 a 9. Sem informar, 1.' },
    ],
  },
];

/** A place as a traveller writes it: one line, without what is invisible or turns the text around. */
const PLACE = /^[^\p{C}\p{Zl}\p{Zp}]{1,60}$/u;

/** The messages of a prompt. @throws ProtocolError `InvalidParams`: no such prompt, or an argument is wrong */
export const promptOf = ({ name, arguments: given = {} }: GetPromptRequestParams): GetPromptResult => {
  const prompt = PROMPTS.find((one) => one.name === name);
  if (!prompt) throw invalid(`Prompt desconhecido: ${name}`);
  const known = prompt.arguments?.map((argument) => argument.name) ?? [];
  const unknown = Object.keys(given).find((argument) => !known.includes(argument));
  if (unknown !== undefined) throw invalid(`Argumento desconhecido: ${unknown}`);
  const text = instructionsFor(checked(new Map(Object.entries(given))));
  return { description: prompt.title, messages: [{ role: 'user', content: { type: 'text', text } }] };
};

const invalid = (message: string): ProtocolError => new ProtocolError(ProtocolErrorCode.InvalidParams, message);

/** What to buy: cents for all passengers together. */
interface Wish {
  readonly to: string;
  readonly from: string | undefined;
  readonly date: string | undefined;
  readonly budget: number;
  readonly passengers: number;
}

const checked = (given: ReadonlyMap<string, string>): Wish => {
  const place = (argument: string): string | undefined => {
    const text = given.get(argument)?.trim();
    if (text && !PLACE.test(text)) throw invalid(`${argument}: deve ser um texto de uma linha, com até 60 caracteres`);
    return text === '' ? undefined : text;
  };
  const [to, from] = [place('to'), place('from')];
  if (to === undefined) throw invalid('to: diga a cidade ou o aeroporto de destino');
  const budget = amountIn(given.get('budget') ?? '');
  if (budget === null || budget === 'unreadable' || budget === 0)
    throw invalid('budget: deve ser um valor em reais, como 1500 ou 1.500,00');
  const date = given.get('date')?.trim() || undefined;
  if (date !== undefined && !isDate(date)) throw invalid('date: deve ser uma data AAAA-MM-DD');
  const passengers = given.get('passengers')?.trim() || '1';
  if (!/^[1-9]$/.test(passengers)) throw invalid('passengers: deve ser um inteiro de 1 a 9');
  return { to, from, date, budget, passengers: Number(passengers) };
};

const instructionsFor = ({ to, from, date, budget, passengers }: Wish): string => {
  const limit = moneyText({ amount: budget, currency: 'BRL' });
  const people = passengers === 1 ? '1 passageiro' : `${passengers} passageiros`;
  const day = date === undefined ? '' : ` em ${date}`;
  return `Compre para mim um voo ${from === undefined ? '' : `de ${from} `}para ${to}${day}, para ${people}, por no máximo ${limit} no total.

1. Busque com search_flights${from === undefined ? '' : `, só voos que partem de ${from}`}${date === undefined ? '' : `, com date ${date}`}.
2. Compare as tarifas dos voos que servem com quote_fares: budget ${budget} (centavos) e passengers ${passengers}. Se nenhuma couber no orçamento, diga-me e pare.
3. Mostre-me a melhor escolha (voo, dia, partida e chegada, bagagem, o que volta se eu cancelar e total), pergunte o nome de quem voa e espere que eu concorde.
4. Reserve com create_booking, com date e travellers, e confira o total, que vale até expiresAt.
5. Se ainda não houver um mandato para esta compra, crie um com create_mandate: limit { "amount": ${budget}, "currency": "BRL" } e constraints { "maxOrders": 1 }. Se vier com status "pending", leve-me a approval.url e espere a minha decisão.
6. Peça-me os dados do cartão de testes e compre com place_order. Se for preciso a minha confirmação, leve-me ao endereço que vier e depois repita a chamada com os mesmos argumentos.
7. Leia o recibo com get_receipt e mostre-me o bilhete. Se eu desistir, mostre-me o que volta com quote_cancellation, e só cancele com cancel_order se eu concordar.

Nunca passe de ${limit}, e não compre nada que eu não tenha confirmado.`;
};

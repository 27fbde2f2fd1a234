import type { OpenAPIObject } from '@nestjs/swagger';
import { eachOperation } from './openapi-operations.js';

/** What schemas, their members and parameters say, in English: by name, or by the schema or operation that it stands in. */
const ENGLISH: Readonly<Partial<Record<string, string>>> = {
  abandoned: 'The agent left before the answer (499).',
  agent: 'Only calls of this family of agents.',
  agentFunnel: 'The filter operation does not matter.',
  agents:
    'Distinct agents: by client; without a token, by the site whose signature is right, else by address and family of each day. The filter operation does not matter.',
  allowed: 'What that condition allows.',
  amount: 'Amount in cents.',
  approval: 'Only while it waits for the traveller to decide.',
  arguments: 'The arguments, as the inputSchema of the tool has them.',
  arrivalDayOffset: 'Days after the day of departure.',
  arrivalTime: 'Local time of arrival, HH:mm.',
  arrivesSameDay: 'Arrives on the day of departure.',
  available: 'How much is left for new mandates.',
  baggage: 'Included: no baggage; checked; checked, and a seat.',
  bestByConstraints:
    'The cheapest that arrives on the same day with checked baggage, within the budget or not; null: none.',
  'Booking.currency': 'Currency of the total.',
  'Booking.metadata': 'The texts that this agent noted here; empty to any other.',
  bucket:
    'Interval of each point, in UTC. Minutes are kept for 48 hours, hours for 90 days, days for ever. A period is up to 48 hours by the minute, 90 days by the hour or 366 days by the day; with operation or agent, up to 6 hours by the minute or 7 days by the hour. Without it, by the period.',
  budget: 'Budget in cents, for all passengers.',
  budgetDelta: 'Budget less total; negative where the total is above the budget.',
  cap: 'Cap of the agent that asks; null: there is none.',
  'Cap.limit': 'The cap that the traveller put on this agent.',
  capsRefused: 'Mandates refused for the cap of their agent.',
  chargesApproved: 'Charges that were within the mandate and captured.',
  clientId: 'The agent that acted; null: the service itself.',
  code: 'Its exact code, the `fareCode` of bookings.',
  codesReplayed: 'Authorization codes that were presented again.',
  constraint: 'The condition of the mandate that the purchase does not meet.',
  constraints: 'What else the mandate asks of a purchase; unknown names are refused.',
  consumed: 'Charged already.',
  content: 'The same as structuredContent, as text.',
  count: 'How many items match, up to 10,000 (flights: all).',
  countIsExact: 'There, and false then, where more than 10,000 match.',
  'CreateBooking.fareCode': 'Code of the fare, exactly as the flight has it.',
  createdFrom: 'Only what was created at this instant or later (RFC 3339).',
  createdTo: 'Only what was created before this instant (RFC 3339).',
  currency: 'Currency of the prices.',
  cursor: 'The nextCursor of the page before.',
  departureDate: 'Local date of departure; null: the flight has no date.',
  departureTime: 'Local time of departure, HH:mm.',
  durationMin: 'Duration in minutes.',
  error: 'The code of the error; it does not change.',
  errorRate: 'errors ÷ requests; 0 without calls.',
  errors: 'Status 400 or above: the sum of refused, limited, failed and abandoned.',
  expectedTotal: 'Where the total is another, the order is refused.',
  expiresAt: 'Until when they may decide.',
  expiry: 'MM/YY, MM/YYYY or YYYY-MM.',
  failed: 'Failures of ours: status 5xx.',
  failure: 'Only of an order that failed: the code of the error that says why.',
  familiesBelowMinimum:
    'Families of fewer than 5 agents, in the day or the period: their calls count as other. 0 with the agent of a family. The filter operation does not matter.',
  family: 'Families of fewer than 5 agents in the day (UTC) or the period count as other.',
  fareCode: 'The `fareCode` of bookings.',
  'FareQuote.budget': 'The budget that was given, in the currency of the flight.',
  field: 'The name that is not known; never its value.',
  fitsBudget: 'The total is within the budget.',
  'Flight.flightNumber': 'Identifies the flight in paths.',
  'Flight.from': 'Airport of departure (IATA).',
  'Flight.to': 'Airport of arrival (IATA).',
  'Flight.url': 'Public page of the flight.',
  flightNumber: 'Number of the flight; case, blanks and hyphens do not matter.',
  format: 'Format of the answer; without it, what Accept asks for.',
  from: 'Airport of departure: IATA code, name or city; case and accents do not matter.',
  fromCity: 'City of departure; null: unknown.',
  funnel: 'The filter operation does not matter.',
  'getAgentTraffic.from': 'Beginning; without it, 24 hours before to.',
  'getAgentTraffic.to': 'End; without it, now.',
  grantedBy: 'Who decided to open it: the traveller or, within the cap, the agent.',
  hasCheckedBag: 'Includes checked baggage.',
  hash: 'SHA-256 that chains the event to the one before.',
  'Idempotency-Key':
    'Up to 255 visible ASCII characters. For 24 hours the same key with the same body gets the first answer again (with the header Idempotent-Replayed: true), and nothing is created or charged twice.',
  in: 'Where it is: in the body, the query or the arguments of the tool.',
  isError: 'Whether it is a refusal of the business (402, 409 or 422).',
  items: 'A page of the items.',
  lagSeconds: 'Seconds since the oldest event that it still lacks; 0: none.',
  limit: 'Items on a page.',
  limited: 'Limited: status 429.',
  logIndex: 'Place of the event in the transparency log ({site_url}/tlog); null for about a second.',
  'Mandate.constraints': 'What else the mandate asks of a purchase; empty: nothing.',
  'Mandate.limit': 'Ceiling of what may be spent.',
  'Mandate.metadata': 'The texts that this agent noted here; empty to any other.',
  'MandateConstraints.from': 'Airports of departure.',
  'MandateConstraints.maxOrders': 'The most orders, paid or under way.',
  'MandateConstraints.maxPricePerSeat': 'The most that a seat may cost.',
  'MandateConstraints.to': 'Airports of arrival.',
  'MandateEvent.remaining': 'Available after the event.',
  'MandateRefusal.from': 'Airport of departure.',
  'MandateRefusal.message': 'What was refused and why, in a sentence.',
  'MandateRefusal.to': 'Airport of arrival.',
  'MandateRefusal.unitPrice': 'Price of one seat.',
  mandates: 'Of all agents and operations, whatever the filter.',
  maxOrders: 'The most orders.',
  maxPricePerSeat: 'The most that a seat may cost, in the currency of the ceiling.',
  message: 'The suggestion for people.',
  metadata:
    'Free texts of the agent, which it alone sees: up to 50, with names of up to 40 characters. An empty text deletes its name. No passwords or card data.',
  nextCursor: 'Cursor of the next page; null on the last.',
  notFollowed: 'Calls of all agents that were counted before each agent was followed: they are in no stage of it.',
  operation: 'Only calls of this operation.',
  options: 'All fares, by total and then code.',
  'Order.metadata': 'The texts that this agent noted here; empty to any other.',
  p50Ms: 'Milliseconds, with a relative error of up to 2 %; null without calls.',
  p95Ms: 'Milliseconds, with a relative error of up to 2 %; null without calls.',
  p99Ms: 'Milliseconds, with a relative error of up to 2 %; null without calls.',
  passengers: 'Number of passengers.',
  path: 'Relative to the address of the API.',
  payments: 'Of all agents and operations, whatever the filter.',
  pollAfterSeconds: 'Seconds after which to ask again.',
  Prefer:
    'handling=strict refuses what the operation does not know with 422, in place of ignoring it with a warning (RFC 7240).',
  previousHash: 'The hash of the event before in this mandate; of the first, 64 zeros.',
  price: 'Price for a passenger, in cents of the currency of the flight.',
  prices: 'Fares of the flight.',
  q: 'City of destination, code or name of an airport, or number of a flight, with or without its letters; case and accents do not matter.',
  query: 'The parameters of the search that is suggested.',
  reason: 'Why a charge was refused.',
  reasons: 'What the fare lacks; empty: nothing.',
  refreshTokensReused: 'Refresh tokens that were presented after their exchange.',
  refusal: 'The charge that the mandate refused; null: another event.',
  refused: 'Refused: status 4xx but 429 and 499.',
  remaining: 'Still available.',
  remainingSeconds: 'Seconds to the end of its validity; 0 after it.',
  requests: 'Calls that were answered.',
  reserved: 'Set aside for orders under way.',
  revision: 'Place of the event in the mandate; the first is 0.',
  scope: 'What the mandate covers; a charge takes order:write and payment:execute.',
  searched: 'Of these, those that searched in the period as well.',
  'SearchSuggestion.count': 'How many flights it finds.',
  seats: 'Seats still on sale.',
  security: 'Of all agents and operations, whatever the filter.',
  series: 'A point for each bucket. With agent, only the buckets in which the family had 5 agents or more.',
  signatures: 'Of all agents and operations, whatever the filter.',
  sort: 'Order: time of departure, duration or lowest price.',
  startedAt: 'Since when this process serves.',
  stopped: 'Present if it has stopped at an event that this program cannot read.',
  structuredContent:
    'What the tool answers, in the form of its outputSchema; or the refusal, with error, status and doc_url.',
  suggestion: 'The nearest name that is known, if there is one.',
  suggestions: 'Only where nothing was found: searches that find flights, the likeliest first.',
  ticketId: 'The order.',
  to: 'Airport of arrival: IATA code, name or city; case and accents do not matter.',
  toCity: 'City of arrival.',
  tool: 'The name of the tool, as in the manifest.',
  total: 'Price for all passengers.',
  TrafficAgentFunnel: 'The same agents, from search to receipt.',
  'TrafficAgentStep.agents': 'Distinct agents with a call of the stage that succeeded.',
  TrafficFunnel: 'Calls of each stage that succeeded.',
  TrafficSignatures: 'Calls that their agent signed (Web Bot Auth), by what came of checking.',
  unitPrice: 'Price for a passenger.',
  unverified: 'Could not be checked; they count as unsigned.',
  url: 'The page on which the traveller decides.',
  used: 'Open mandates, and what was spent since the traveller set the first cap.',
  verified: 'Right by a key that the site of the agent publishes.',
  version: 'Version of the program.',
  'Warning.message': 'The same for people.',
  warnings: 'Unknown names of the request, which were ignored. Absent where there are none.',
  wrong: 'Wrong.',
};

/** A thing with its text in English beside the one in Portuguese. `owner`: the schema or operation that it stands in. */
const translated = <Thing extends object>(thing: Thing, name: string, owner = ''): Thing => {
  const english = ENGLISH[`${owner}.${name}`] ?? ENGLISH[name];
  return 'description' in thing && english !== undefined ? { ...thing, 'x-description-en': english } : thing;
};

type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;

/** A description with the English of all that its operations take and its schemas hold. */
export const withEnglish = (document: OpenAPIObject): OpenAPIObject => {
  const schemaIn = (schema: Schemas[string], name: string): Schemas[string] => {
    if (!('properties' in schema) || !schema.properties) return translated(schema, name);
    const members = Object.entries(schema.properties).map(
      ([member, one]) => [member, translated(one, member, name)] as const,
    );
    return translated({ ...schema, properties: Object.fromEntries(members) }, name);
  };
  const schemas = Object.entries(document.components?.schemas ?? {}).map(
    ([name, schema]) => [name, schemaIn(schema, name)] as const,
  );
  const described = eachOperation(document, (operation) => ({
    ...operation,
    ...(operation.parameters && {
      parameters: operation.parameters.map((one) =>
        'name' in one ? translated(one, one.name, operation.operationId) : one,
      ),
    }),
  }));
  return { ...described, components: { ...described.components, schemas: Object.fromEntries(schemas) } };
};

import type { ErrorGuide } from '../error-catalogue.js';

/** What the English page of each error says. */
export const EN: ErrorGuide = {
  malformed_json: {
    means: 'The request could not be read: its body is not JSON, or the HTTP message is incomplete.',
    why: 'A trailing comma, single quotes, a body that was cut off, objects nested more than 32 levels deep, or an HTTP/1.1 request without `Host`.',
    doNow:
      'Make the body with the JSON serializer of your language, in UTF-8, and send the request again. The same request unchanged will fail again.',
  },
  unknown_tool: {
    means: 'There is no tool with the name sent in `tool`.',
    why: 'The name is spelled differently, or belongs to a tool that this service does not have.',
    doNow: 'Read the names in the manifest at `/.well-known/webmcp.json` and use one exactly as it is there.',
  },
  invalid_arguments: {
    means: 'The arguments of the tool do not have the form that it asks for.',
    why: 'A required argument is missing, one has another type, or `arguments` is not an object. `details` lists each field and what is wrong with it.',
    doNow: 'Compare the arguments with the `inputSchema` of the tool in the manifest, correct them and call again.',
  },
  invalid_idempotency_key: {
    means: 'The `Idempotency-Key` header does not have an accepted form.',
    why: 'It is empty, longer than 255 characters, has a space or an accent, or was sent twice.',
    doNow:
      'Use a new UUID for each purchase, booking or mandate, and the same UUID when you repeat the same request. Nothing was created.',
  },
  token_missing: {
    means: 'This operation needs an access token, and the request came without one.',
    why: 'The header `Authorization: Bearer …` (or `Authorization: DPoP …`) is missing.',
    doNow:
      'Get a token by OAuth 2.1, with the authorization of the traveller. The `WWW-Authenticate` header of this answer says where the authorization server is.',
  },
  invalid_token: {
    means: 'The access token is not good here.',
    why: 'It has expired (it lives for one hour), was revoked by the traveller, is incomplete, was issued for another resource, or the DPoP proof beside it is wrong; in that case `details` says why.',
    doNow:
      'Exchange the refresh token for a new access token. If that is refused as well, the traveller has withdrawn the authorization, and only they can give it again.',
  },
  payment_declined: {
    means: 'The issuer of the card declined the payment. Nothing was charged.',
    why: 'The issuer decides. In the test processor the card 4000 0000 0000 0002 is always declined.',
    doNow:
      'Do not repeat it with the same card: ask the traveller for another one and place a new order for the same booking. Ten refusals within ten minutes close the door for a while.',
  },
  payment_insufficient_funds: {
    means: 'The card does not have enough funds or credit for the total. Nothing was charged.',
    why: 'The issuer said that the amount does not fit. In the test processor this is what the card 4000 0000 0000 9995 answers.',
    doNow: 'Offer the traveller a cheaper fare, or ask for another card, and place a new order.',
  },
  payment_card_expired: {
    means: 'The card has expired. No order was opened.',
    why: 'The date sent in `payment.expiry` is over. A card is good until the end of its month.',
    doNow: 'Check the date with the traveller; if it is right, ask for another card.',
  },
  payment_card_invalid: {
    means: 'The card data cannot be right. No order was opened.',
    why: 'The number fails its check digit or does not have 12 to 19 digits, the expiry is not MM/YY, MM/YYYY or YYYY-MM, or the CVC does not have 3 or 4 digits.',
    doNow: 'Check each value with the traveller and send it again. Do not guess digits: refusals are counted.',
  },
  payment_challenge_required: {
    means: 'The payment waits for the traveller to confirm it. The order is open, and nothing has been charged yet.',
    why: 'The issuer asked for a confirmation that no agent can give.',
    doNow:
      'Show `challenge.url` to the traveller. Then repeat the same request every `challenge.pollAfterSeconds` seconds until `challenge.expiresAt`: it completes the same order.',
  },
  payment_challenge_failed: {
    means: 'The traveller did not confirm the payment. The order is over, and nothing was charged.',
    why: 'They refused, or the ten minutes to decide have passed.',
    doNow:
      'Ask the traveller whether they still want the trip. For ten minutes the same card with the same booking gets this same answer; another card starts a new order.',
  },
  payment_not_completed: {
    means:
      'The traveller approved the payment, and its time was over before the agent completed the purchase. Nothing was charged.',
    why: 'After the approval the same request was not sent again until `challenge.expiresAt`.',
    doNow:
      'Tell the traveller that the purchase was not made, and ask whether they still want it. For ten minutes the same card with the same booking gets this same answer; after that, or with another card, the same request opens a new order, which they approve again.',
  },
  insufficient_scope: {
    means: 'The token is good, but it does not allow this operation.',
    why: 'The traveller authorized the agent without one of the scopes that the operation needs. The `WWW-Authenticate` header lists all of them.',
    doNow: 'Ask the traveller for a new authorization with the missing scopes, beside those you have already.',
  },
  mandate_forbidden: {
    means: 'This mandate belongs to another traveller.',
    why: 'The id was kept or copied from another account, or the token is another traveller’s.',
    doNow: 'Use the mandates that `GET /mandates` lists for this token.',
  },
  origin_forbidden: {
    means: 'A page of another site called `/mcp`, which takes no calls from unknown pages.',
    why: 'The browser sent an `Origin` that is neither that of this site nor one that the operator allowed.',
    doNow:
      'Call `/mcp` from a program, which sends no `Origin`, or ask the operator to add your origin to `MCP_ALLOWED_ORIGINS`.',
  },
  invalid_signature: {
    means: 'The request was signed, and the signature is wrong. Nothing was done.',
    why: 'The published key is not the one that signed, the signature has expired, or something changed on the way. `details.reason` says which.',
    doNow:
      'Sign each request anew, with a right clock and the key that your directory publishes. The request is accepted without a signature, too.',
  },
  flight_not_found: {
    means: 'There is no flight with this number.',
    why: 'The number is misspelled, or the flight was never on sale. Case, spaces and hyphens do not count.',
    doNow: 'Search for the flight with `GET /flights` and use the `flightNumber` of the answer.',
  },
  booking_not_found: {
    means: 'This traveller has no booking with this id.',
    why: 'The id is wrong, or the booking is somebody else’s: both have the same answer.',
    doNow: 'Look for the booking in `GET /bookings`, or create another one.',
  },
  mandate_not_found: {
    means: 'There is no mandate with this id.',
    why: 'The id is wrong or incomplete, or the mandate was never created.',
    doNow: 'Look for the mandate in `GET /mandates`, or create another one.',
  },
  order_not_found: {
    means: 'This traveller has no order with this id.',
    why: 'The id is wrong, or the order is somebody else’s: both have the same answer.',
    doNow: 'Look for the order in `GET /orders`.',
  },
  ticket_not_found: {
    means: 'This order has no ticket, and so it has no receipt.',
    why: 'The order is still in progress, failed, does not exist, or is somebody else’s.',
    doNow: 'Read `GET /orders/{id}`: only an order whose `status` is `paid` has a receipt.',
  },
  route_not_found: {
    means: 'There is nothing at this address.',
    why: 'The path is misspelled, `/api/v1` is missing, or there is a slash too many.',
    doNow: 'Compare the address with those in the description of the API, at `/docs`.',
  },
  method_not_allowed: {
    means: 'The address exists, but not with this method.',
    why: 'For instance a `PUT` where there is only `PATCH`. The `Allow` header lists the methods that are accepted.',
    doNow: 'Use one of the methods in `Allow`.',
  },
  request_timeout: {
    means: 'The request did not arrive whole in time, and the connection was closed.',
    why: 'The network is slow, or the body promised in `Content-Length` never came. The limit is 10 seconds for the headers and 30 for everything.',
    doNow:
      'Send it again on a new connection. If the request creates something, use the same `Idempotency-Key` as the first time.',
  },
  mandate_revoked: {
    means: 'The mandate was revoked and pays for nothing more. Nothing was charged.',
    why: 'The traveller revoked it in their account, withdrew the authorization of the agent, or the agent itself ended it.',
    doNow: 'Do not insist. If the traveller still wants the purchase, create or ask for another mandate.',
  },
  mandate_expired: {
    means: 'The validity of the mandate is over. Nothing was charged.',
    why: 'The minutes of `duration.minutes` have passed, or the traveller brought the end forward.',
    doNow: 'Create another mandate that lasts long enough for the purchase, and repeat the order with it.',
  },
  mandate_paused: {
    means: 'The traveller has paused the mandate. Nothing was charged.',
    why: 'It was their choice, on the page of the mandate.',
    doNow: 'Tell the traveller that the purchase waits for them. Once they resume the mandate, the same request works.',
  },
  mandate_pending: {
    means: 'The mandate still waits for the traveller’s decision. Nothing was charged.',
    why: 'This traveller wants to be asked for each mandate that the agent requests.',
    doNow:
      'Show `approval.url` to the traveller. Then read the mandate every `approval.pollAfterSeconds` seconds and, once it is `valid`, repeat the order.',
  },
  booking_already_ordered: {
    means: 'This booking already has a ticket. Nothing was charged again.',
    why: 'An earlier order for it was paid; `order` says which.',
    doNow: 'Read that order and its receipt. For another trip, create another booking.',
  },
  order_in_progress: {
    means: 'An order for this booking is already in progress.',
    why: 'Another request is buying, or the order waits for the traveller to confirm the payment; `order` says which one it is.',
    doNow:
      'Wait as long as `Retry-After` says and read `order.url`. Do not create another booking: you would buy twice.',
  },
  idempotency_in_flight: {
    means: 'The first request with this `Idempotency-Key` has not finished yet.',
    why: 'The repetition arrived before the answer, mostly because the client waits for too short a time.',
    doNow: 'Wait as long as `Retry-After` says and repeat it with the same key and the same body.',
  },
  payload_too_large: {
    means:
      'The body is larger than 64 KiB, or has more than 1,000 members and elements or 32 levels, and was not read.',
    why: 'No operation needs that much: mostly it is a file or a whole conversation in the place of a field.',
    doNow: 'Send only the fields of the operation.',
  },
  unsupported_media_type: {
    means: 'The body did not come as `application/json`.',
    why: 'The `Content-Type` header is missing, or says something else, such as a form.',
    doNow: 'Send JSON with `Content-Type: application/json`.',
  },
  rate_limited: {
    means: 'There were too many requests, or too much is open at the same time.',
    why: 'There are limits by address, which fill again all the time and count long bodies and dear reads as several, on refused cards, on confirmations and mandates that wait, and on open mandates. `details.limit`, where it is there, says which one.',
    doNow:
      'Wait as long as `Retry-After` says before you try again. Where your address is limited, the `RateLimit` header of each answer says how much of that is left; the other limits are told by `details` alone.',
  },
  invalid_body: {
    means: 'The body of the request is missing or wrong.',
    why: 'It is not an object, a required member is missing, or `buyer` or `expectedTotal` has another form. `details` lists each field.',
    doNow: 'Correct the fields in `details` and send it again.',
  },
  unknown_member: {
    means: 'The request has names that the operation does not know, and was refused for that. Nothing was done.',
    why: 'The request asks for strictness with `Prefer: handling=strict`, or the name stands in `constraints`, where ignoring it would allow more than was asked for. `details` lists the names and suggests similar ones.',
    doNow: 'Correct or remove the names that are listed.',
  },
  invalid_flight: {
    means: 'The flight that was named cannot be booked.',
    why: 'No flight with this number is on sale, or `flightNumber` is not a text.',
    doNow: 'Search with `GET /flights` and use the `flightNumber` of the answer.',
  },
  invalid_fare: {
    means: 'This flight does not have the fare that was named.',
    why: 'The code is exact, in capitals; the fare may belong to another flight or no longer be on sale; or there is a fare without a flight. `details.fares` lists those that the flight has, with their prices.',
    doNow: 'Choose one of the fares in `details.fares` and send its `code` as `fareCode`.',
  },
  invalid_passengers: {
    means: 'The number of passengers is not acceptable.',
    why: 'It is not an integer from 1 to 9, or came as a text in the body.',
    doNow: 'Send an integer from 1 to 9. For larger groups, make more than one booking.',
  },
  invalid_change: {
    means: 'The booking cannot be changed as requested. It stays as it was.',
    why: 'The body is missing, a member is null, or another agent of the same traveller created the booking: only its creator changes it.',
    doNow: 'Send an object with only the members that change, or create a booking of your own.',
  },
  invalid_limit: {
    means: 'The ceiling of the mandate is not acceptable.',
    why: '`limit.amount` is not an integer from 1 to 1000000000000 cents, or `limit` is missing.',
    doNow: 'Send the ceiling in cents, without a fraction: R$ 700.00 is `{"amount": 70000, "currency": "BRL"}`.',
  },
  invalid_currency: {
    means: 'The currency of the ceiling is not one of those that are accepted.',
    why: '`limit.currency` is missing, or is none of `BRL`, `USD` and `EUR`, in capitals.',
    doNow: 'Use the currency of the flight, which the search gives as `currency`.',
  },
  invalid_validity: {
    means: 'The validity requested for the mandate is not acceptable.',
    why: '`durationMinutes` is not an integer from 1 to 10080, which is seven days.',
    doNow: 'Ask for no more time than the purchase needs. Without the member the mandate is valid for 60 minutes.',
  },
  invalid_mandate_scope: {
    means: 'The scope requested for the mandate is not acceptable.',
    why: '`scope` is empty, repeats a scope, or has one that does not exist.',
    doNow: 'Leave `scope` out: the default, `order:write` and `payment:execute`, is what a purchase needs.',
  },
  invalid_constraints: {
    means: 'The constraints requested for the mandate are not acceptable.',
    why: 'An airport is not an IATA code of three letters, the price of a seat is in another currency than the ceiling, or `maxOrders` is not an integer from 1 to 1000. `details` says which.',
    doNow: 'Correct what `details` lists, or leave the constraint out.',
  },
  invalid_booking: {
    means: 'The booking that the order names does not exist for this traveller.',
    why: '`bookingId` is missing, wrong, or belongs to somebody else or to another agent.',
    doNow: 'Use the `id` from the answer of `POST /bookings`.',
  },
  invalid_mandate: {
    means: 'The mandate that the order names does not exist for this traveller.',
    why: '`mandateId` is not a text, is wrong, or belongs to somebody else.',
    doNow:
      'Use the `id` from the answer of `POST /mandates`, or leave `mandateId` out if only one mandate can pay for the purchase.',
  },
  invalid_payment: {
    means: 'Card data are missing.',
    why: '`payment` does not have `cardNumber`, `expiry` and `cvc`, all of them texts. `details` says which.',
    doNow: 'Send all three as texts, even those that have only digits.',
  },
  invalid_budget: {
    means: 'The budget is not acceptable.',
    why: '`budget` is missing, has a fraction or a currency sign, is longer than 12 digits, or came more than once.',
    doNow: 'Send an integer in cents, for all passengers: R$ 1,200.00 is `budget=120000`.',
  },
  invalid_query: {
    means: 'A parameter of the query is wrong.',
    why: 'Its value is not among those accepted, or it came more than once. `details` says which one and what is expected.',
    doNow: 'Correct the parameter and ask again.',
  },
  invalid_cursor: {
    means: 'The pagination cursor is not good for this query.',
    why: 'It was changed or cut off, or belongs to a list with other filters.',
    doNow: 'Start from the first page, without `cursor`, and follow `nextCursor` without changing the filters.',
  },
  invalid_window: {
    means: 'The period that was asked for cannot be shown.',
    why: 'It has too many points for the interval chosen, ends before it begins, or the data of that time are no longer kept in such detail. `details` says which.',
    doNow: 'Ask for a shorter period, or a larger `bucket`: hours instead of minutes, days instead of hours.',
  },
  invalid_metadata: {
    means: 'The metadata are not acceptable. Nothing was kept.',
    why: '`metadata` is not an object of texts, has more than 50 names, a name longer than 40 characters or a text longer than 500.',
    doNow:
      'Keep less, or only an id of yours and the rest on your side. An empty text removes a name that is kept already.',
  },
  booking_empty: {
    means: 'The booking does not say yet what to buy. Nothing was charged.',
    why: 'The flight or the fare has not been chosen.',
    doNow: 'Complete the booking with `PATCH /bookings/{id}` and repeat the order.',
  },
  booking_locked: {
    means: 'The booking can no longer change.',
    why: 'An order for it is in progress, or its ticket was issued.',
    doNow: 'For another trip, create another booking. If the order in progress fails, the booking can change again.',
  },
  seats_unavailable: {
    means: 'The flight does not have enough free seats for all passengers. Nothing was charged.',
    why: 'Other purchases took the seats since the search: a booking holds no seat, only an order does.',
    doNow: 'Search for another flight, or travel with fewer passengers; `seats` says how many are left.',
  },
  flight_departed: {
    means: 'The sale of this flight is over. Nothing was charged.',
    why: 'The flight has a date, and its time of departure has passed.',
    doNow: 'Search for another flight.',
  },
  total_changed: {
    means: 'The total of the booking is not the one that the order expected. Nothing was charged.',
    why: 'The booking was changed after you read its total, or `expectedTotal` was computed in another way.',
    doNow: 'Read the booking, show the new total to whoever decides, and repeat the order with it.',
  },
  mandate_required: {
    means: 'No mandate in force can pay for this purchase. Nothing was charged.',
    why: 'The order named no mandate, and the traveller has none that is valid for this agent, in this currency and for this flight.',
    doNow: 'Create a mandate that covers the total with `POST /mandates` and repeat the order with its `mandateId`.',
  },
  mandate_ambiguous: {
    means: 'More than one mandate can pay for this purchase, and the order did not say which. Nothing was charged.',
    why: '`mandateId` was left out. `details.mandateIds` lists the mandates that are possible.',
    doNow: 'Repeat the order with one of the ids in `details.mandateIds`.',
  },
  mandate_limit_exceeded: {
    means: 'The total is more than what remains of the mandate. Nothing was charged.',
    why: '`details.required` is what the purchase costs and `details.remaining` what still fits; what is set aside for orders in progress is not free.',
    doNow: 'Choose a fare that fits into `details.remaining`, or ask the traveller for another mandate.',
  },
  mandate_scope_insufficient: {
    means: 'The mandate does not authorize charges. Nothing was charged.',
    why: 'A charge needs `order:write` and `payment:execute` in the `scope` of the mandate.',
    doNow: 'Create another mandate without `scope`: the default is enough.',
  },
  mandate_constraint_violated: {
    means: 'The mandate does not allow this purchase. Nothing was charged.',
    why: 'The flight, the price of the seat or the number of orders goes beyond the constraints of the mandate: `details.constraint` says which one, and `details.value` what it allows.',
    doNow: 'Choose a flight that meets the constraint, or ask the traveller for another mandate.',
  },
  mandate_client_mismatch: {
    means: 'The mandate was granted to another agent of the same traveller. Nothing was charged.',
    why: 'Only the agent that created a mandate can spend it, even though others can read it.',
    doNow: 'Create a mandate with this same agent.',
  },
  currency_mismatch: {
    means: 'The mandate is in another currency than the purchase. Nothing was charged.',
    why: 'No amount is converted: ceiling and total need the same currency.',
    doNow: 'Create a mandate in the currency of the flight.',
  },
  mandate_cap_exceeded: {
    means: 'The mandate does not fit into the total that the traveller lets this agent spend. No mandate was created.',
    why: '`details.cap` is that total, `details.used` what open mandates and purchases take of it already, `details.available` what still fits.',
    doNow:
      'Ask for a mandate of at most `details.available`, revoke one that you no longer use, or ask the traveller to raise the cap.',
  },
  idempotency_conflict: {
    means: 'This `Idempotency-Key` was already used with another body. Nothing was done.',
    why: 'The same key was used for two different requests, or the body changed between one try and the next.',
    doNow: 'Use a new key for a new request; when you repeat one, send exactly the same body.',
  },
  internal_error: {
    means: 'Something failed on our side.',
    why: 'It was nothing that the request did wrong.',
    doNow:
      'Repeat it in a while, with the same `Idempotency-Key` if the request creates something. If it persists, give the `requestId` to the support.',
  },
  service_unavailable: {
    means: 'The service cannot answer right now.',
    why: 'It is starting, stopping, too busy, or one of its databases does not answer. If an order was begun, `order` says which one, and it comes to an end by itself.',
    doNow:
      'Wait as long as `Retry-After` says and repeat it, with the same `Idempotency-Key` if the request creates something. With `order`, read that order first: it may be paid.',
  },
};

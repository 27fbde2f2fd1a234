import { randomUUID } from 'node:crypto';
import { systemContext, TooLate } from '#kernel';
import { mandates } from '../mandate.decider.js';
import { GrantedAgent } from '../testing/granted.js';
import { createdMandate } from '../read-mandates/load-mandate.js';

it('what came of creating a mandate is the mandate, nothing yet, or that it was given up (rule 19)', async () => {
  const agent = await new GrantedAgent().letIn();
  const { aggregates, clock } = agent;
  const came = (id: string) => createdMandate(aggregates, clock, id);
  const [mandateId, givenUp] = [await agent.open(100_00), await agent.open(100_00, 'BRL', false)];
  expect(await came(mandateId)).toMatchObject({ mandate: { kind: 'granted', mandateId }, at: clock.now() });
  expect(await came(randomUUID())).toBeNull();
  expect(await came(givenUp)).toBeNull();
  await aggregates.handle(mandates, givenUp, { type: 'Abandon', mandateId: givenUp }, systemContext('a test'));
  expect(await came(givenUp)).toBeInstanceOf(TooLate);
});

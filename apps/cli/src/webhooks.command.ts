import type { Command } from 'commander';
import { webhookNamed } from '#runtime';
import { Deliveries, DELIVERIES, type DisabledReason, Endpoints, type Webhook, WEBHOOKS } from '#outbox';
import {
  type Cli,
  json,
  type JsonOption,
  type Line,
  operated,
  printed,
  report,
  withStoresToRead,
} from './command-line.js';

const WHY: Readonly<Record<DisabledReason, string>> = {
  failing: 'disabled: nothing arrived for three days',
  gone: 'disabled: it answered 410',
  agent: 'disabled by its agent',
  operator: 'paused',
};

const stateOf = ({ body: { disabled, failingSince, isEnding } }: Webhook): string => {
  if (disabled) return WHY[disabled];
  if (isEnding) return 'ends: its agent was revoked';
  return failingSince === undefined ? 'active' : `active, nothing has arrived since ${failingSince}`;
};

/** What an operator sees of an endpoint: no key, and of its address the host alone. */
const shown = (webhook: Webhook) => {
  const { holder, clientId, url, types, createdAt, subscription } = webhook.body;
  const kind = subscription ? 'subscription' : 'webhook';
  return { id: webhook.id, kind, holder, clientId, host: new URL(url).host, types, createdAt, state: stateOf(webhook) };
};

/** `alcada webhooks`: the addresses to which events of agents are sent. */
export const defineWebhooks = (webhooks: Command, cli: Cli): void => {
  const { config, write } = cli;
  webhooks
    .command('list')
    .description('list the webhooks and MCP subscriptions of all agents, and whether they take what they are sent')
    .action(async (options: JsonOption) => {
      const settings = await config();
      const all = await withStoresToRead(settings, async ({ documents }) => {
        await documents.prepare(WEBHOOKS);
        const listed = [];
        const { stored } = new Endpoints(documents, settings.keyEncryptionKeys);
        for await (const webhook of stored.every()) listed.push(shown(webhook));
        return listed;
      });
      if (options.json) write(json(all));
      else if (all.length === 0) write(report('No webhooks.'));
      for (const { id, kind, holder, clientId, host, createdAt, state } of options.json ? [] : all)
        write(
          report(id, [
            ['agent', `${clientId} for ${holder}`],
            ['at', host],
            ['kind', kind],
            ['since', createdAt],
            ['state', state],
          ]),
        );
    });

  webhooks
    .command('deliveries')
    .description('list what became of the newest events of a webhook')
    .argument('<id>', 'the id, as the list has it')
    .action(async (id: string, options: JsonOption) => {
      const settings = await config();
      const listed = await withStoresToRead(settings, async ({ documents }) => {
        for (const collection of [WEBHOOKS, DELIVERIES]) await documents.prepare(collection);
        const webhook = await webhookNamed(new Endpoints(documents, settings.keyEncryptionKeys), id);
        const all = await new Deliveries(documents).listed(webhook);
        return all.map(({ place: { id: eventId, type }, ...rest }) => ({ eventId, type, ...rest }));
      });
      const lines = listed.map(({ eventId, type, status, attempts, responseStatus, attemptedAt }): Line => {
        const tried = attemptedAt === null ? 'not tried' : `tried ${attempts} times, last at ${attemptedAt}`;
        return [
          eventId,
          `${type}, ${status}, ${tried}${responseStatus === null ? '' : `, answered ${responseStatus}`}`,
        ];
      });
      write(
        printed(options, listed, listed.length === 0 ? 'No deliveries.' : 'Deliveries, newest event first.', lines),
      );
    });

  webhooks
    .command('pause')
    .description('send nothing to a webhook until it is resumed; what it is to be told is kept')
    .argument('<id>', 'the id, as the list has it')
    .action(async (id: string, options: JsonOption) => {
      const webhook = shown(await operated(cli, 'webhooks pause', id));
      write(printed(options, webhook, 'Paused. Its agent cannot resume it.', [['webhook', id]]));
    });

  webhooks
    .command('resume')
    .description('send to a webhook again, with all that it missed in the last 30 days')
    .argument('<id>', 'the id, as the list has it')
    .action(async (id: string, options: JsonOption) => {
      const webhook = shown(await operated(cli, 'webhooks resume', id));
      write(printed(options, webhook, 'Resumed.', [['webhook', id]]));
    });
};

import { Command } from 'commander';
import { VERSION } from '#runtime/pure';
import type { Cli } from './command-line.js';

/** Gives a command its arguments, options, verbs and description. */
type Define = (command: Command, cli: Cli) => void;

/** The commands by their names: what the list says of each, and where it is. Only one that is named is loaded. */
const COMMANDS: Readonly<Record<string, readonly [description: string, load: () => Promise<Define>]>> = {
  demo: [
    'make a complete purchase as an agent would, on the running server or a temporary one',
    async () => (await import('./demo/demo.command.js')).defineDemo,
  ],
  status: [
    'tell how the running server is, where its log ends and how far its read models are behind',
    async () => (await import('./status.command.js')).defineStatus,
  ],
  doctor: [
    'look at configuration, folder, stores, keys, read models and addresses, and say what is wrong',
    async () => (await import('./doctor/doctor.command.js')).defineDoctor,
  ],
  backup: [
    'copy the log and the documents as they are at one moment, beside the running server',
    async () => (await import('./backup/backup.command.js')).defineBackup,
  ],
  restore: [
    'check a backup, and put it into DATA_DIR, which must have no data',
    async () => (await import('./backup/backup.command.js')).defineRestore,
  ],
  client: [
    'manage the agents that may ask travellers for access',
    async () => (await import('./client.command.js')).defineClient,
  ],
  traveller: ['manage the people who can log in', async () => (await import('./traveller.command.js')).defineTraveller],
  auditor: [
    'manage the people who can log in to the audit pages',
    async () => (await import('./auditor.command.js')).defineAuditor,
  ],
  flight: ['cancel a flight that is on sale', async () => (await import('./flight.command.js')).defineFlight],
  erase: [
    'erase a person: end their logins and agents, settle what is under way, remove their personal data',
    async () => (await import('./erase/erase.command.js')).defineErase,
  ],
  'end-access': [
    'end every grant, login, code, request, remembered consent and signing key',
    async () => (await import('./backup/end-access.command.js')).defineEndAccess,
  ],
  keys: ['manage the keys that sign access tokens', async () => (await import('./keys.command.js')).defineKeys],
  tlog: [
    'manage the keys that sign the checkpoints of the transparency log',
    async () => (await import('./tlog.command.js')).defineTlog,
  ],
  webhooks: [
    'see where agents are told of events, and whether it arrives; pause and resume it',
    async () => (await import('./webhooks.command.js')).defineWebhooks,
  ],
  rebuild: [
    'rebuild read models from the event log beside the live ones, then switch to them',
    async () => (await import('./rebuild.command.js')).defineRebuild,
  ],
  audit: [
    'check the event log and tell its stories; reads only, also beside a running server',
    async () => (await import('./audit/audit.command.js')).defineAudit,
  ],
  replay: [
    'build the read models as they were at a moment of the past, beside those of today',
    async () => (await import('./replay/replay.command.js')).defineReplay,
  ],
};

export const COMMAND_NAMES: readonly string[] = Object.keys(COMMANDS);

const HINT = `
alcada help <command> and alcada <command> --help say more of each. Commands read the same environment
variables as the server, and work beside it, as its user, unless their help says that it must be stopped.
With --json a command prints one JSON document, for programs.
Exit codes: 0 success, 1 refused or failed, 2 wrong usage, 78 unusable configuration or data folder.
`;

/** What is said of the commands that a running server does not do. The others read, or have it do what changes its files. */
const ALONE = `
The stores belong to one process at a time: stop the server first, unless EVENTSTORE_URL and MONGODB_URL are set.`;

/** The command `alcada`, as far as `args` may name it. @throws CommanderError also for a request for help */
export const createProgram = async (cli: Cli, args: readonly string[]): Promise<Command> => {
  const output = { writeOut: cli.write, writeErr: (text: string) => void cli.stderr.write(text) };
  const program = new Command('alcada').exitOverride().configureOutput(output).version(VERSION);
  program.description('Commands for who runs Alçada.').addHelpText('after', HINT);
  for (const [name, [description, load]] of Object.entries(COMMANDS)) {
    const command = program.command(name).description(description);
    if (!args.includes(name)) continue;
    (await load())(command, cli);
    if (name !== 'demo') for (const leaf of leavesOf(command)) addJson(leaf);
  }
  for (const command of leavesOf(program)) explain(command);
  return program;
};

/** `--json`, which every command has that prints anything; some say more of it themselves. */
const addJson = (command: Command): void => {
  if (!command.options.some(({ long }) => long === '--json')) command.option('--json', 'print one JSON document');
};

const leavesOf = (command: Command): readonly Command[] => [
  ...(command.commands.length === 0 || command.registeredArguments.length > 0 ? [command] : []),
  ...command.commands.flatMap(leavesOf),
];

/** Says who may use it when, and to who used it wrongly how it is used: that one command, and not all about it. */
const explain = (command: Command): void => {
  const usage = command.createHelp().commandUsage(command);
  const [, ...path] = usage.replace(/ [[<].*/, '').split(' ');
  if (ALONE_ONLY.has(path.join(' '))) command.addHelpText('after', ALONE);
  command.showHelpAfterError(`Usage: ${usage}\n       alcada ${path.join(' ')} --help   says more`);
};

const ALONE_ONLY: ReadonlySet<string> = new Set([
  'erase',
  'end-access',
  ...['rotate', 'revoke', 'reencrypt'].map((verb) => `keys ${verb}`),
  ...['begin', 'rotate', 'retire'].map((verb) => `tlog ${verb}`),
  'rebuild',
]);

import { argumentsIn } from '../arguments.js';
import { commandOf, type Invocation } from '../command.js';
import { json, told } from '../output.js';
import { withRegistry } from '../registry.js';
import { newPassword } from './new-password.js';

const JSON_OPTION = { json: { type: 'boolean', default: false } } as const;

/** The e-mail, and whether a program reads the answer. */
const emailIn = (args: readonly string[]): { readonly email: string; readonly isJson: boolean } => {
  const { positionals, values } = argumentsIn(args, ['the e-mail'], JSON_OPTION);
  return { email: positionals[0] ?? '', isJson: values.json };
};

const add = async ({ args, config, write }: Invocation): Promise<void> => {
  const { email, isJson } = emailIn(args);
  const password = await newPassword();
  const traveller = await withRegistry(config, ({ travellers }) => travellers.add({ email, password }));
  const lines = [
    ['e-mail', traveller.email],
    ['holder', traveller.holder],
  ] as const;
  write(isJson ? json(traveller) : told('Traveller added; they can log in now.', lines));
};

const list = async ({ args, config, write }: Invocation): Promise<void> => {
  const { values } = argumentsIn(args, [], JSON_OPTION);
  const travellers = await withRegistry(config, (registry) => registry.travellers.list());
  const lines = travellers.map(({ email, holder }) => [email, holder] as const);
  write(values.json ? json(travellers) : told(lines.length === 0 ? 'No travellers.' : 'Travellers:', lines));
};

const setPassword = async ({ args, config, write }: Invocation): Promise<void> => {
  const { email, isJson } = emailIn(args);
  const password = await newPassword();
  await withRegistry(config, ({ travellers }) => travellers.setPassword({ email, password }));
  write(isJson ? json({ email }) : told(`${email} has a new password, and is logged out everywhere.`));
};

const remove = async ({ args, config, write }: Invocation): Promise<void> => {
  const { email, isJson } = emailIn(args);
  const endedGrants = await withRegistry(config, ({ travellers }) => travellers.remove(email));
  const lines = [['grants ended', endedGrants.toString()]] as const;
  write(isJson ? json({ email, endedGrants }) : told(`${email} is removed, and logged out everywhere.`, lines));
};

/** `alcada traveller`: the people who can log in and let agents act for them. */
export const traveller = commandOf(
  [
    ['traveller add <e-mail>', 'let somebody log in; asks for the password, or reads it from standard input'],
    ['traveller list', 'who can log in'],
    ['traveller set-password <e-mail>', 'give somebody another password and end their logins'],
    ['traveller remove <e-mail>', 'remove somebody, their logins and all they granted'],
  ],
  { add, list, 'set-password': setPassword, remove },
);

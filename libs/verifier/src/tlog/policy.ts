import { Malformed } from '../bytes.js';
import type { Crypto, Sha256 } from '../crypto.js';
import { type Checkpoint, parseCheckpoint } from './checkpoint.js';
import { COSIGNATURE, ED25519, parseNote, parseVerifierKey, Unverified, type VerifierKey, verifyNote } from './note.js';

/** A log whose checkpoints are believed: its key, named as its origin is, and where it is. */
interface KnownLog {
  readonly key: VerifierKey;
  readonly url: string | null;
}

export interface KnownWitness extends KnownLog {
  readonly name: string;
}

/** Counts as a witness where `threshold` of its members, witnesses and earlier groups, do. */
interface Group {
  readonly name: string;
  readonly threshold: number;
  readonly members: readonly string[];
}

/** Which logs are believed, and how many witnesses must have seen what they show (C2SP tlog-policy). */
export interface Policy {
  readonly logs: readonly KnownLog[];
  readonly witnesses: readonly KnownWitness[];
  readonly groups: readonly Group[];
  /** A witness or group that must have cosigned; `none`: nobody has to. */
  readonly quorum: string;
}

const NONE = 'none';

/** The policy of whoever believes the log of one key by itself. */
export const policyOf = (key: VerifierKey): Policy => ({
  logs: [{ key, url: null }],
  witnesses: [],
  groups: [],
  quorum: NONE,
});

/** Reads a policy file, as UTF-8. @throws Malformed, naming the line */
export const parsePolicy = (text: string, sha256: Sha256): Policy => {
  const logs: KnownLog[] = [];
  const witnesses: KnownWitness[] = [];
  const groups: Group[] = [];
  const members = new Set<string>();
  const quorums: string[] = [];
  const isDefined = (name: string) => [...witnesses, ...groups].some((known) => known.name === name);

  const newName = (name: string | undefined): string => {
    if (name === undefined || name === NONE || isDefined(name)) throw new Malformed('its name is missing or taken');
    return name;
  };
  const newKey = (vkey: string | undefined, type: VerifierKey['type'], among: readonly KnownLog[]): VerifierKey => {
    const key = parseVerifierKey(vkey ?? '', sha256);
    if (key.type !== type) throw new Malformed('its key is not one for this');
    if (among.some((known) => isSame(known.key, key))) throw new Malformed('its key is there already');
    return key;
  };
  const log = ([vkey, url, ...more]: readonly string[]) => {
    none(more);
    logs.push({ key: newKey(vkey, ED25519, logs), url: url ?? null });
  };
  const witness = ([name, vkey, url, ...more]: readonly string[]) => {
    none(more);
    witnesses.push({ name: newName(name), key: newKey(vkey, COSIGNATURE, witnesses), url: url ?? null });
  };
  const group = ([name, threshold = '', ...of]: readonly string[]) => {
    const groupName = newName(name);
    for (const member of of) {
      if (!isDefined(member)) throw new Malformed(`no line above defines ${member}`);
      if (members.has(member)) throw new Malformed(`${member} is a member already`);
      members.add(member);
    }
    const words = new Map([
      ['any', 1],
      ['all', of.length],
    ]);
    const count = words.get(threshold) ?? (/^[1-9][0-9]*$/.test(threshold) ? Number(threshold) : 0);
    if (count < 1 || count > of.length) throw new Malformed('its threshold is not all, any or a number of its members');
    groups.push({ name: groupName, threshold: count, members: of });
  };
  const quorum = ([name, ...more]: readonly string[]) => {
    none(more);
    if (name === undefined || (name !== NONE && !isDefined(name))) throw new Malformed('no line above defines it');
    quorums.push(name);
  };

  const kinds = new Map(Object.entries({ log, witness, group, quorum }));
  for (const [at, line] of text.split('\n').entries()) {
    const [kind = '', ...rest] = line.split(/[ \t]+/).filter((word) => word !== '');
    try {
      if (Array.from(line).some(isControl)) throw new Malformed('it has a control character');
      if (kind === '' || kind.startsWith('#')) continue;
      const define = kinds.get(kind);
      if (!define) throw new Malformed('it is not log, witness, group or quorum');
      define(rest);
    } catch (error) {
      throw error instanceof Malformed ? new Malformed(`line ${at + 1} of the policy: ${error.message}`) : error;
    }
  }
  const [only, ...others] = quorums;
  if (only === undefined || others.length > 0) throw new Malformed('a policy has exactly one quorum line');
  return { logs, witnesses, groups, quorum: only };
};

const isControl = (character: string): boolean => (character < ' ' && character !== '\t') || character === '\x7f';
const isSame = (one: VerifierKey, other: VerifierKey): boolean => String(one.publicKey) === String(other.publicKey);
const none = (words: readonly string[]): void => {
  if (words.length > 0) throw new Malformed('it has more words than it should');
};

/** Whether these witnesses, by their names in the policy, are enough. */
export const isQuorum = ({ groups, quorum }: Policy, witnesses: readonly string[]): boolean => {
  const met = new Set([NONE, ...witnesses]);
  for (const { name, threshold, members } of groups) {
    if (members.filter((member) => met.has(member)).length >= threshold) met.add(name);
  }
  return met.has(quorum);
};

/** A checkpoint that a policy believes, and who stands for it. */
export interface VerifiedCheckpoint extends Checkpoint {
  readonly keys: readonly VerifierKey[];
  /** The witnesses that cosigned it, by their names in the policy. */
  readonly witnesses: readonly string[];
}

/** Verifies a signed checkpoint against a policy. @throws Malformed; Unverified: no known log, too few witnesses, a forged one */
export const verifyCheckpoint = async (text: string, policy: Policy, crypto: Crypto): Promise<VerifiedCheckpoint> => {
  const note = parseNote(text);
  const checkpoint = parseCheckpoint(note.text);
  const ofLog = policy.logs.map(({ key }) => key).filter(({ name }) => name === checkpoint.origin);
  if (ofLog.length === 0) throw new Unverified(`no key is known of the log ${checkpoint.origin}`);
  const keys = await verifyNote(note, ofLog, crypto);
  const witnesses = [];
  for (const { name, key } of policy.witnesses) {
    const isThere = note.signatures.some((one) => one.name === key.name && one.keyId === key.keyId);
    if (isThere && (await verifyNote(note, [key], crypto)).length > 0) witnesses.push(name);
  }
  if (!isQuorum(policy, witnesses))
    throw new Unverified('too few witnesses of the policy have cosigned this checkpoint');
  return { ...checkpoint, keys, witnesses };
};

import { readFile } from 'node:fs/promises';
import { InvalidConfig } from '#config';
import { nodeCrypto } from '#transparency';
import { parsePolicy, type Policy } from '#verifier';

/** The policy in a file, which has to name somebody to be asked. @throws InvalidConfig */
export const readWitnesses = async (file: string): Promise<Policy> => {
  try {
    const policy = parsePolicy(await readFile(file, 'utf8'), nodeCrypto.sha256);
    const urls = policy.witnesses.flatMap(({ url }) => url ?? []);
    if (urls.length === 0) throw new Error('it has no witness with an address');
    const wrong = urls.find((url) => !/^https?:/.test(url) || !URL.canParse(url));
    if (wrong !== undefined) throw new Error(`${wrong} is no address of a witness`);
    return policy;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new InvalidConfig(`TLOG_WITNESSES: ${file} is no policy that names witnesses (C2SP tlog-policy): ${reason}`);
  }
};

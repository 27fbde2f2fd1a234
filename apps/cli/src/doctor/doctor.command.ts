import type { Command } from 'commander';
import { InvalidConfig } from '#config';
import { type Cli, json, type JsonOption } from '../command-line.js';
import { examine } from './checks.js';
import type { Finding } from './finding.js';

class SomethingWrong extends Error {
  override readonly name = 'SomethingWrong';
}

interface DoctorOptions extends JsonOption {
  readonly sendMail?: string;
}

const found = async (config: Cli['config'], { sendMail }: DoctorOptions): Promise<readonly Finding[]> => {
  try {
    return await examine(await config(), sendMail);
  } catch (error) {
    if (!(error instanceof InvalidConfig)) throw error;
    return [{ what: 'configuration', state: 'WRONG', says: error.message }];
  }
};

const line = ({ what, state, says }: Finding, width: number): string =>
  `  ${state.padEnd(5)}  ${what.padEnd(width)}  ${says.replaceAll('\n', `\n${' '.repeat(width + 11)}`)}\n`;

/** `alcada doctor`: whether everything that a service needs is there. */
export const defineDoctor = (doctor: Command, { config, write }: Cli): void => {
  doctor
    .option('--send-mail <e-mail>', 'also send a test mail there, through SMTP_URL')
    .addHelpText(
      'after',
      '\nIt changes nothing, shows no secret, and may run beside the server. Exit code 1 where something is wrong.',
    )
    .action(async (options: DoctorOptions) => {
      const findings = await found(config, options);
      const faults = findings.filter(({ state }) => state === 'WRONG').length;
      const width = Math.max(...findings.map(({ what }) => what.length));
      const heading =
        faults === 0 ? 'Nothing is wrong.' : faults === 1 ? 'One thing is wrong.' : `${faults} things are wrong.`;
      if (options.json) write(json({ faults, findings }));
      else write(`${heading}\n${findings.map((one) => line(one, width)).join('')}`);
      if (faults > 0) throw new SomethingWrong(heading);
    });
};

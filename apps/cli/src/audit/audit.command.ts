import type { Command } from 'commander';
import type { Cli } from '../command-line.js';
import { addDiffCommand } from './diff.command.js';
import { addMandateCommand } from './mandate.command.js';
import { addStoryCommands } from './story.command.js';
import { addExportCommand } from './export.command.js';
import { addVerifyCommand } from './verify.command.js';

/** `alcada audit`: what somebody looks at who trusts neither the operator nor this program. All of it only reads. */
export const defineAudit = (audit: Command, cli: Cli): void => {
  addMandateCommand(audit, cli);
  addStoryCommands(audit, cli);
  addDiffCommand(audit, cli);
  addVerifyCommand(audit, cli);
  addExportCommand(audit, cli);
};

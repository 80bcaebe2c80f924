import { Command, CommanderError } from 'commander';
import { version } from '../package.json';
import { AppError, messageOf } from '../src/domain/app-error.ts';
import { commands } from './commands/index.ts';
import { isSearchThread, runSearchThread } from './search/search-thread.ts';

/** The statuses that headless.md promises. */
const DONE = 0;
const BAD_INPUT = 2;

// A reader that has seen enough (`assay … | head`) closes the pipe: that is its right, not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(DONE);
  throw error;
});

const program = new Command('assay')
  .description('Evaluation of code retrieval: the same page, driven from a terminal.')
  .version(version)
  .showHelpAfterError('(add --help for the options and examples)')
  .exitOverride();
for (const register of commands) register(program);
for (const command of program.commands) command.exitOverride();

try {
  // The program is also the entry of its own search threads.
  if (isSearchThread()) await runSearchThread();
  else await program.parseAsync();
} catch (thrown) {
  if (thrown instanceof CommanderError) {
    // Help and version end with 0; everything else that commander refuses is bad usage.
    process.exitCode = thrown.exitCode === 0 ? DONE : BAD_INPUT;
  } else {
    console.error(thrown instanceof AppError ? `${thrown.message}` : `Unexpected: ${messageOf(thrown)}`);
    if (process.env['ASSAY_DEBUG'] !== undefined && thrown instanceof Error) console.error(thrown.stack);
    process.exitCode = BAD_INPUT;
  }
}

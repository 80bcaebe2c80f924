import { Option, type Command } from 'commander';
import { AppError } from '../../src/domain/app-error.ts';
import { BENCHES } from '../../tests/bench/index.ts';

/** `assay bench NAME`: prints JSON lines, each with the peer measured in the same run; never fails on a slow machine. */
export function register(program: Command): void {
  program
    .command('bench')
    .argument('<name>', BENCHES.map(({ name, about }) => `${name}: ${about}`).join('; '))
    .description('measure a part of Assay beside what people use instead, as JSON lines')
    .option('--against <NAME>', 'the peer, where there is a choice')
    .addOption(new Option('--python <FILE>', 'a Python with the packages of the peers').env('ASSAY_PYTHON'))
    .option('--quick', 'smaller sizes', false)
    .addHelpText(
      'after',
      '\nExamples:\n  npm run assay -- bench start\n  npm run assay -- bench search --against faiss --python venv/bin/python',
    )
    .action(async (name: string, options: { against?: string; python?: string; quick: boolean }) => {
      const bench = BENCHES.find((candidate) => candidate.name === name);
      if (bench === undefined) {
        throw new AppError(
          'input',
          'unknown-benchmark',
          `There is no benchmark "${name}". Known: ${BENCHES.map((known) => known.name).join(', ')}.`,
        );
      }
      for await (const line of bench.run(options)) console.log(JSON.stringify(line));
    });
}

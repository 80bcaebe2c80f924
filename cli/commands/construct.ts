import { InvalidArgumentError, Option, type Command } from 'commander';
import { constructExec, type ConstructExecOptions } from '../construct/construct-exec.ts';
import { constructRepo, type ConstructRepoOptions } from '../construct/construct-repo.ts';
import { constructTrain, type ConstructTrainOptions } from '../construct/construct-train.ts';

/** `assay construct`: benchmarks from one's own code, by the papers' pipelines. */
export function register(program: Command): void {
  const construct = program
    .command('construct')
    .description('make a benchmark folder from code of your own, with a build report');
  construct
    .command('exec')
    .argument(
      '<file>',
      'functions with tests: HumanEval, MBPP, or entry_id, name, query, code, tests; .gz too',
    )
    .description('buggy near-clones of Python functions, verified by execution (ExecRetrieval)')
    .requiredOption('--out <DIR>', 'folder for the benchmark: new, empty, or an earlier build')
    .option('--distractors <N>', 'wanted for each task', whole(1, 20), 4)
    .option(
      '--types <LIST>',
      'wanted bug types with weights, e.g. off_by_one=2,wrong_operator=1; default: all alike',
    )
    .option('--stack <N|FROM-TO>', '2 to 4 mutations on different lines in each distractor')
    .addOption(
      new Option(
        '--limits <NAME>',
        'what tasks must look like: "paper" wants 7 to 10 asserts and hidden names',
      )
        .choices(['imported', 'paper'])
        .default('imported'),
    )
    .option('--keep-docstrings', 'leave the docstring in the code although it is the query', false)
    .option('--most-crashing <SHARE>', 'share of distractors that may fail by exceptions only', share, 0.05)
    .option('--most-mutants <N>', 'mutants of one task executed at most', whole(1, 1_000), 120)
    .option('--timeout-ms <N>', 'limit for a suite, in the time of CPython', whole(1, 3_600_000), 5_000)
    .option(
      '--mutant-timeout-ms <N>',
      'limit for a mutant: what does not end is turned away',
      whole(1, 3_600_000),
      500,
    )
    .option('--tasks <N>', 'only the first N tasks', whole(1, 1_000_000))
    .option('--seed <N>', 'order of mutants and corpus', whole(0, 4_294_967_295), 20_261_130)
    .option('--json <FILE>', '- prints the report as JSON')
    .addHelpText(
      'after',
      `
Every distractor is one edit of the canonical and fails at least one test; mutants that pass are dropped and counted.
Code runs in the page's sandbox only. Equal inputs give equal bytes.

Examples:
  npm run assay -- construct exec HumanEval.jsonl.gz --out humaneval-exec
  npm run assay -- evaluate --benchmark ./humaneval-exec
  npm run assay -- construct exec tasks.jsonl --out stacked --stack 2-4 --seed 7`,
    )
    .action((file: string, options: ConstructExecOptions) => constructExec(file, options));
  construct
    .command('repo')
    .argument('<repository>', 'folder with .git, bare repository, zip of either, or git bundle; only read')
    .description('requests and the code that they changed, from a git history (CORE-Bench Level 2)')
    .requiredOption('--out <DIR>', 'folder for the benchmark: new, empty, or an earlier build')
    .option('--ref <NAME>', 'branch, tag or commit whose first-parent history is read', 'HEAD')
    .option('--commits <N>', 'commits looked at, newest first', whole(1, 1_000_000), 3_000)
    .option('--queries <N>', 'queries wanted', whole(1, 100_000), 100)
    .option(
      '--requests <FILE>',
      'pull requests as the forge exports them (title, body, merge_commit_sha): only these',
    )
    .option(
      '--answers <FILE>',
      'verdicts on queries (commit, verdict, reason) instead of the mechanical filter',
    )
    .option('--most-gold <N>', 'a change that touches more pieces is no request', whole(1, 100_000), 40)
    .option('--rename-similarity <SHARE>', 'lines in common that make two files one', share, 0.5)
    .option('--name <TEXT>', "the repository's name in the benchmark; default: the folder's")
    .option('--regime-pieces <N>', 'from this on a corpus is large', whole(1, 1_000_000_000))
    .option('--regime-gold <N>', 'from this mean on a repository is dense', whole(1, 1_000_000))
    .option('--json <FILE>', '- prints the report as JSON')
    .addHelpText(
      'after',
      `
The corpus of a query is the tree before its change; an insertion makes the piece around it gold; new files never are.

Examples:
  npm run assay -- construct repo . --out my-benchmark
  npm run assay -- evaluate --benchmark ./my-benchmark --protocol core-bench
  npm run assay -- construct repo click.bundle --out click --ref main --queries 200`,
    )
    .action((place: string, options: ConstructRepoOptions) => constructRepo(place, options));
  construct
    .command('train')
    .argument('<folder>', 'a benchmark folder in any layout that "evaluate" takes')
    .description(
      'training data from a benchmark: contrastive with hard negatives, and (q, d, y) for a reranker',
    )
    .requiredOption('--out <DIR>', 'folder for the data: new, empty, or an earlier build')
    .option('--test <FOLDER>', 'benchmark that the data must not share a query or a positive with')
    .option('--part <NAME>', 'one of several benchmarks in the folder')
    .option('--hard-negatives <N>', 'for each positive', whole(1, 100), 4)
    .option(
      '--depth <N>',
      'best documents of BM25 among which hard negatives are mined',
      whole(1, 10_000),
      30,
    )
    .option('--seed <N>', 'draw of the easy negatives', whole(0, 4_294_967_295), 42)
    .addHelpText(
      'after',
      `
Writes sentence-transformers.jsonl (anchor, positive, negative), flag-embedding.jsonl (query, pos, neg) and
reranker.jsonl (query, document, label; each positive twice, beside an easy and beside a hard negative).

Example:
  npm run assay -- construct train ./my-benchmark --test ./my-test --out train-data`,
    )
    .action((folder: string, options: ConstructTrainOptions) => constructTrain(folder, options));
  for (const command of construct.commands) command.exitOverride();
}

function whole(from: number, to: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < from || value > to)
      throw new InvalidArgumentError(`A whole number from ${from} to ${to} is needed.`);
    return value;
  };
}

function share(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0 && value <= 1))
    throw new InvalidArgumentError('A share from 0 to 1 is needed.');
  return value;
}

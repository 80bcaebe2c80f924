import { InvalidArgumentError, type Command } from 'commander';
import { serveApp } from '../serve/app-server.ts';

/** `assay start`: serves the built page with the isolation headers and prints the address. */
export function register(program: Command): void {
  program
    .command('start')
    .description('serve the page on this machine and print its address')
    .option('--port <N>', 'port on 127.0.0.1', parsePort, 4173)
    .addHelpText('after', '\nExamples:\n  npm start\n  npm start -- --port 8080')
    .action(async (options: { port: number }) => {
      const server = await serveApp({
        port: options.port,
        hosts: ['localhost', '127.0.0.1', 'assay.localhost'],
      });
      console.log(`Assay is at http://localhost:${server.port}/ (Ctrl-C ends it)`);
      await new Promise<void>((resolve) => {
        for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
      });
      await server.close();
    });
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new InvalidArgumentError('A port is a whole number from 0 to 65535.');
  return port;
}

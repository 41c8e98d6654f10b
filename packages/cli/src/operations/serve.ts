import type { CliCommand } from '../shared/cli-command.ts'
import { host, port } from '../shared/option-values.ts'

export const addServeCommand = (program: CliCommand): void => {
  program
    .add('serve', 'Run the service until SIGTERM or SIGINT; logs are lines of JSON on standard output')
    .option('--host <host>', 'address to listen on; by default COUNTERSIGN_HOST, else 127.0.0.1', host)
    .option('--port <port>', 'port to listen on, 0 for any free port; by default COUNTERSIGN_PORT, else 4000', port)
    .example('countersign serve --host 0.0.0.0 --port 8080')
    .action(async ({ host, port }: { readonly host?: string; readonly port?: number }) => {
      const { createLogger, readConfig, serve } = await import('@countersign/server')
      const config = readConfig(program.context.env)
      const server = await serve(config, {
        logger: createLogger(config.logLevel),
        ...(host === undefined ? {} : { host }),
        ...(port === undefined ? {} : { port }),
      })
      await server.closed
    })
}

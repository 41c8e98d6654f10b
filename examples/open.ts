import type { Countersign } from '@countersign/core'
import {
  createApp,
  createLogger,
  type OpenCountersignOptions,
  openCountersign,
  readConfig,
  startSweeper,
} from '@countersign/server'

export interface Opened {
  readonly countersign: Countersign
  /** Its HTTP interface, which any framework can mount. `env` is where `@hono/node-server` keeps Node's own request. */
  readonly fetch: (request: Request, env?: unknown) => Response | Promise<Response>
  /** Tells whether a request is for Countersign, by its target or URL. The host's own routes have all others. */
  readonly handles: (target: string) => boolean
  /** Where the configuration says to listen. */
  readonly host: string
  readonly port: number
  /** To be called when nothing is served any more: finishes the work that follows answers, and closes the database. */
  close(): Promise<void>
}

/**
 * Opens Countersign as the environment configures it, by the variables of `countersign serve`.
 *
 * @param brought What the host brings itself: its users, what carries its push messages.
 */
export const open = async (brought: Omit<OpenCountersignOptions, 'logger'> = {}): Promise<Opened> => {
  const config = readConfig(process.env)
  const logger = createLogger(config.logLevel)
  const { countersign, storage, close } = await openCountersign(config, { logger, ...brought })
  await storage.migrate()
  const stopSweeper = startSweeper(countersign, logger)
  const app = createApp(countersign, {
    version: '1.0.0',
    logger,
    trustProxy: config.trustProxy,
    // What Node received, where the framework hands it on.
    requestTarget: (env) => (env as { incoming?: { url?: string } } | undefined)?.incoming?.url,
  })
  return {
    countersign,
    fetch: (request, env) => app.fetch(request, env),
    handles: app.handles,
    host: config.host,
    port: config.port,
    close: async () => {
      await stopSweeper()
      await close()
    },
  }
}

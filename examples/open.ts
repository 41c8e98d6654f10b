import type { CountersignIdentity } from '@countersign/core'
import {
  createApp,
  createLogger,
  type OpenCountersignOptions,
  openCountersign,
  readConfig,
  startSweeper,
} from '@countersign/server'

export interface Opened {
  readonly countersign: CountersignIdentity
  /** The HTTP interface, which any framework can mount. `@hono/node-server` passes the request of Node in `env`. */
  readonly fetch: (request: Request, env?: unknown) => Response | Promise<Response>
  /** Returns whether a request is for Countersign, by its target or URL. All other requests belong to the host. */
  readonly handles: (target: string) => boolean
  /** The address to listen on, from the configuration. */
  readonly host: string
  readonly port: number
  /** Finishes work that follows responses, and closes the database. Call it when the server accepts no more requests. */
  close(): Promise<void>
}

/**
 * Opens Countersign with the environment variables of `countersign serve`.
 *
 * @param brought The implementations of the host, for its users or its push messages.
 */
export const open = async (brought: Omit<OpenCountersignOptions, 'logger'> = {}): Promise<Opened> => {
  const config = readConfig(process.env)
  const logger = createLogger(config.logLevel)
  const { countersign, storage, close } = await openCountersign(config, { logger, ...brought })
  await storage.migrate()
  const stopSweeper = startSweeper(countersign, logger)
  const app = createApp(countersign, {
    version: '1.0.0',
    parts: config.parts,
    logger,
    trustProxy: config.trustProxy,
    // The target as Node received it, if the framework passes it on.
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

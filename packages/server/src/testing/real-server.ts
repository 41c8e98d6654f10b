import { silentLogger } from '@countersign/core'
import { createNodeHandler } from '../adapters/node/handler.ts'
import { type Listening, type ListenOptions, listen } from '../adapters/node/listen.ts'
import { type AppOptions, createAppPipeline } from '../app.ts'
import type { TestApp } from './test-app.ts'

/** Serves a core over real HTTP through the Node adapter, like `serve`. */
export const startRealServer = (
  { countersign }: Pick<TestApp, 'countersign'>,
  options: Partial<AppOptions> = {},
  listenOptions: Partial<ListenOptions> = {},
): Promise<Listening> => {
  const pipeline = createAppPipeline(countersign, { version: '1.2.3', ...options })
  const handler = createNodeHandler(pipeline, options.logger ?? silentLogger)
  return listen(handler, { host: '127.0.0.1', port: 0, ...listenOptions })
}

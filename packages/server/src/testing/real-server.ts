import { type Listening, listen } from '../adapters/node/listen.ts'
import { type AppOptions, createService } from '../app.ts'
import type { TestApp } from './test-app.ts'

/** Serves the core of a test app over real HTTP, as `serve` does, with the direct paths of Node's server. */
export const startRealServer = (
  { countersign }: Pick<TestApp, 'countersign'>,
  options: Partial<AppOptions> = {},
): Promise<Listening> => {
  const { app, answerDirectly } = createService(countersign, {
    version: '1.2.3',
    requestTarget: (env) => (env as { incoming: { url?: string } }).incoming.url,
    ...options,
  })
  return listen(app.fetch, { host: '127.0.0.1', port: 0, answerDirectly })
}

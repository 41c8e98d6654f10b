import { freePort } from '../../../../tools/testing/free-port.ts'
import { createApprover } from '../../../server/src/approver.ts'
import { listenFetch } from '../../../server/src/testing/listen-fetch.ts'
import { createTestApp, type TestApp, type TestAppOptions } from '../../../server/src/testing/test-app.ts'

/** A server in this process, whose clock does not move by itself. */
export interface ServedApprover {
  readonly test: TestApp
  readonly origin: string
  close(): Promise<void>
}

/** Serves the page at `/approve/` for the host `Example Bank`. */
export const serveApprover = async (options: Partial<TestAppOptions> = {}): Promise<ServedApprover> => {
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const relyingParty = { id: 'localhost', name: 'Example Bank', origins: [origin] }
  const test = await createTestApp({
    ...options,
    options: { relyingParty, rateLimits: 'off', ...options.options },
    app: { approver: createApprover({ name: 'Example Bank' }) },
  })
  const server = await listenFetch((request, env) => test.app.fetch(request, env), { host: 'localhost', port })
  return { test, origin, close: () => server.close(100) }
}

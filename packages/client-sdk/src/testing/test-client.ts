import { createTestUser, testPassword } from '@countersign/core/testing'
import { createTestApp, type TestApp, type TestAppOptions } from '../../../server/src/testing/test-app.ts'
import type { Client } from '../client.ts'
import { type ClientOptions, createClient } from '../create-client.ts'

/** Replaces the server's response to one request. */
export type Fault = (request: Request) => Response | Promise<Response>

/** A client of a real server in the same process, with faults between them. */
export interface TestClient {
  readonly test: TestApp
  readonly client: Client
  /** The requests so far, as `POST /path`. */
  readonly sent: string[]
  /** The faults of the next requests, one each. The server answers later requests. */
  readonly faults: Fault[]
  /** Creates another client of the same server: another tab, or another user. */
  another(options?: Partial<ClientOptions>): Client
}

export const createTestClient = async (
  options: Partial<ClientOptions> = {},
  appOptions: TestAppOptions = {},
): Promise<TestClient> => {
  const test = await createTestApp(appOptions)
  const sent: string[] = []
  const faults: Fault[] = []
  const fetch = async (request: Request): Promise<Response> => {
    sent.push(`${request.method} ${new URL(request.url).pathname}`)
    return faults.shift()?.(request) ?? test.app.fetch(request)
  }
  const another = (other: Partial<ClientOptions> = {}) =>
    createClient({ baseUrl: 'http://countersign.test', fetch, ...options, ...other })
  return { test, sent, faults, client: another(), another }
}

/** A connection that fails. */
export const broken: Fault = () => Promise.reject(new TypeError('fetch failed'))

/** Logs a new user in by password, and clears the list of sent requests. */
export const logInNewUser = async ({ test, client, sent }: TestClient) => {
  const user = await createTestUser(test, { permissions: ['project.*'] })
  const tokens = await client.auth.login({ email: user.email, password: testPassword })
  sent.length = 0
  return { user, tokens }
}

import type { Client } from '@countersign/client-sdk'
import { createTestUser } from '@countersign/core/testing'
import type { OpenCountersign } from '@countersign/server'
import { expect } from 'vitest'
import { expectWithinASecond } from '../../../tools/testing/within-a-second.ts'
import { logIn, phoneLogin, registerPhone, statusOf, tokenStatus } from '../src/testing/over-http.ts'

export const countOf = (statuses: readonly number[], wanted: number): number =>
  statuses.filter((status) => status === wanted).length

/** Sends many requests together, spread evenly over the clients. */
export const overAll = (
  clients: readonly Client[],
  count: number,
  send: (client: Client, index: number) => Promise<unknown>,
): Promise<readonly number[]> =>
  Promise.all(
    Array.from({ length: count }, (_, index) => {
      const client = clients[index % clients.length]
      if (client === undefined) throw new Error('there is nobody to ask')
      return statusOf(send(client, index))
    }),
  )

/** Expects that the server refuses every request with this token that is sent a second from now or later. */
export const expectRefused = (client: Client, token: string): Promise<void> =>
  expectWithinASecond(async () => (await tokenStatus(client, token)) === 401)

/** Creates a user with a phone and logs in with both at the first server. All servers then accept the tokens. */
export const signInWithPhone = async (core: OpenCountersign, [first, ...others]: readonly Client[]) => {
  if (first === undefined) throw new Error('there is no server')
  const { email } = await createTestUser(core, { permissions: ['project.read', 'project.approve'] })
  const web = await logIn(first, email)
  const phone = await registerPhone(first, web.accessToken)
  const mobile = await phoneLogin(first, phone)
  for (const { accessToken } of [web, mobile]) {
    for (const client of [first, ...others]) expect(await tokenStatus(client, accessToken)).toBe(200)
  }
  return { email, web, phone, mobile }
}

/** More than any limit, and few enough for each to be answered in time on a busy machine. */
const CROWD = 200

/**
 * Sends many requests together and expects exactly the allowed number to pass. The servers share the clock of this machine,
 * so the first request and the last response bound the time of their decisions.
 */
export const expectLimit = async (
  clients: readonly Client[],
  { burst, perMinute }: { readonly burst: number; readonly perMinute: number },
  send: (client: Client) => Promise<unknown>,
): Promise<void> => {
  const startedAt = Date.now()
  const statuses = await overAll(clients, CROWD, send)
  const refilled = Math.floor(((Date.now() - startedAt) * perMinute) / 60_000)
  const accepted = countOf(statuses, 200)
  expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([])
  expect(accepted).toBeGreaterThanOrEqual(burst)
  expect(accepted).toBeLessThanOrEqual(burst + refilled)
}

import type { Client } from '@countersign/client-sdk'
import { createTestUser } from '@countersign/core/testing'
import type { OpenCountersign } from '@countersign/server'
import { expect } from 'vitest'
import { logIn, phoneLogin, registerPhone, standing, statusOf } from '../src/testing/over-http.ts'

/** What one server ends, every other refuses within this many milliseconds. */
export const A_SECOND = 1000

export const countOf = (statuses: readonly number[], wanted: number): number =>
  statuses.filter((status) => status === wanted).length

/** Sends so many requests in one go, in turn to each client. */
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

/** Asks until it is so; resolves with the milliseconds that it took. */
export const timeUntil = async (isSo: () => Promise<boolean>): Promise<number> => {
  const since = performance.now()
  while (!(await isSo())) if (performance.now() - since > 5 * A_SECOND) break
  return performance.now() - since
}

export const expectRefused = async (client: Client, token: string): Promise<void> => {
  expect(await timeUntil(async () => (await standing(client, token)) === 401)).toBeLessThan(A_SECOND)
}

/** A new user with a phone, logged in with both at the first server, whose tokens all of them know as good. */
export const signInWithPhone = async (core: OpenCountersign, [first, ...others]: readonly Client[]) => {
  if (first === undefined) throw new Error('there is no server')
  const { email } = await createTestUser(core, { permissions: ['project.read', 'project.approve'] })
  const web = await logIn(first, email)
  const phone = await registerPhone(first, web.accessToken)
  const mobile = await phoneLogin(first, phone)
  for (const { accessToken } of [web, mobile]) {
    for (const client of [first, ...others]) expect(await standing(client, accessToken)).toBe(200)
  }
  return { email, web, phone, mobile }
}

const CROWD = 500

/**
 * Sends a crowd of requests in one go. Whatever the servers do meanwhile, their clocks are this machine's: between the first
 * request and the last answer they decided, so what may be accepted is known to the request.
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

import type { Client } from '@countersign/client-sdk'
import { createTestUser } from '@countersign/core/testing'
import type { OpenCountersign } from '@countersign/server'
import { expect } from 'vitest'
import { logIn, phoneLogin, registerPhone, statusOf, tokenStatus } from '../src/testing/over-http.ts'

/** Milliseconds within which every server must refuse a session that another server ended. */
export const A_SECOND = 1000

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

/** Milliseconds after which a question that is still answered no ends a test. */
const GIVE_UP_AFTER = 5 * A_SECOND

/**
 * Asks until the answer is yes. Resolves with the milliseconds after which the last question with the answer no was sent. The
 * time that this answer then took is not part of a promise, because the server may have decided at the beginning of this time.
 */
export const timeOfLastNo = async (ask: () => Promise<boolean>): Promise<number> => {
  const since = performance.now()
  for (let lastNo = 0; ; ) {
    const sentAt = performance.now() - since
    if (await ask()) return lastNo
    lastNo = sentAt
    if (performance.now() - since > GIVE_UP_AFTER) throw new Error('The answer was no until the end')
  }
}

/** Expects that the server refuses every request with this token that is sent a second from now or later. */
export const expectRefused = async (client: Client, token: string): Promise<void> => {
  expect(await timeOfLastNo(async () => (await tokenStatus(client, token)) === 401)).toBeLessThan(A_SECOND)
}

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

const CROWD = 500

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

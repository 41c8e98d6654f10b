import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '@countersign/client-sdk'
import type { OpenCountersign } from '@countersign/server'
import { expect } from 'vitest'
import { startStopwatch } from '../../../tools/testing/stopwatch.ts'
import { directClient, phoneLogin, signPayment, statusOf, tokenStatus } from '../src/testing/over-http.ts'
import { limitConcurrency } from './limit-concurrency.ts'
import { signInWithPhone } from './many-servers.ts'

/** The result of a request. */
export interface Answered {
  readonly status: number
  /** The time of sending and the duration until the response, in milliseconds. */
  readonly at: number
  readonly took: number
  readonly retryAfter: string | null
}

/** Users at work on servers whose database fails now and then. Acknowledged changes are noted. */
export interface Load {
  readonly answers: readonly Answered[]
  /** Returns the milliseconds so far, by the stopwatch that measures the answers. */
  now(): number
  /** Works until aborted, whatever the servers refuse. Rejects if no response comes. */
  run(until: AbortSignal): Promise<void>
  /** Checks at one of the servers that every acknowledged change is still there, and returns the number of changes. */
  check(): Promise<{ readonly approvals: number; readonly logouts: number; readonly rotations: number }>
}

/** The time, by the stopwatch of the load, during which the database was unavailable. */
export interface Outage {
  readonly from: number
  readonly to: number
}

export const figuresOf = (answers: readonly Answered[], outages: readonly Outage[]) => {
  const refused = answers.filter(({ status }) => status !== 200)
  const isOutside = ({ at, took }: Answered) => outages.every(({ from, to }) => at + took < from || at > to)
  return {
    answers: answers.length,
    refused: refused.length,
    refusals: [
      ...new Set(refused.map(({ status, retryAfter }) => `${status}, with${retryAfter === null ? 'out' : ''} Retry-After`)),
    ],
    /** Refused requests that were not under way when the database stopped, and that were sent after it was back. */
    refusedOutsideOutages: refused.filter(isOutside).length,
    /** Milliseconds. */
    longestAnswer: Math.round(Math.max(...answers.map(({ took }) => took))),
    firstSuccessAfterReturn: outages.map(({ to }) => {
      const successes = answers.filter(({ status, at, took }) => status === 200 && at + took > to)
      return Math.round(Math.min(...successes.map(({ at, took }) => at + took)) - to)
    }),
  }
}

/** Prints the measurements of a fault test. */
export const printFigures = (what: string, figures: Readonly<Record<string, unknown>>): void => {
  process.stdout.write(`${what}: ${JSON.stringify(figures)}\n`)
}

/** Milliseconds before a refused user tries again; shorter than servers ask for, to send more requests. */
const PATIENCE = 20

/** @param urls The servers, over which the users are spread. */
export const openLoad = async (core: OpenCountersign, urls: readonly string[], people: number): Promise<Load> => {
  const answers: Answered[] = []
  const now = startStopwatch()
  const clients = urls.map((baseUrl) =>
    directClient(baseUrl, async (request) => {
      const at = now()
      const response = await fetch(request)
      const { status, headers } = response
      answers.push({ status, at, took: now() - at, retryAfter: headers.get('retry-after') })
      return response
    }),
  )
  const [first] = clients
  if (first === undefined) throw new Error('there is no server')
  const users = await Promise.all(Array.from({ length: people }, () => signInWithPhone(core, [first])))
  answers.length = 0

  const approvals: { readonly confirmationId: string; readonly token: string }[] = []
  const loggedOut: string[] = []
  const spent: string[] = []

  const work = async (client: Client, { web, phone, mobile }: (typeof users)[number]): Promise<void> => {
    const approval = await signPayment(client, web.accessToken, phone)
    await client.confirmations.sendApproval(approval, { token: mobile.accessToken })
    approvals.push({ confirmationId: approval.confirmationId, token: web.accessToken })
    const { refreshToken } = await phoneLogin(client, phone)
    const { tokens: next } = await client.mobile.refresh({ refreshToken })
    spent.push(refreshToken)
    await client.auth.logout({ refreshToken: next.refreshToken }, { token: next.accessToken })
    loggedOut.push(next.accessToken)
  }

  const tryTo = async (something: Promise<void>): Promise<void> => {
    if ((await statusOf(something)) !== 200) await pause(PATIENCE)
  }

  return {
    answers,
    now,
    run: async (until) => {
      await Promise.all(
        users.map(async (user, index) => {
          const client = clients[index % clients.length] ?? first
          while (!until.aborted) await tryTo(work(client, user))
        }),
      )
    },
    check: async () => {
      await limitConcurrency(approvals, async ({ confirmationId, token }) =>
        expect((await first.confirmations.status({ confirmationId }, { token })).status).toBe('approved'),
      )
      await limitConcurrency(loggedOut, async (token) => expect(await tokenStatus(first, token)).toBe(401))
      await limitConcurrency(spent, async (refreshToken) =>
        expect(await statusOf(first.mobile.refresh({ refreshToken }))).toBe(401),
      )
      return { approvals: approvals.length, logouts: loggedOut.length, rotations: spent.length }
    },
  }
}

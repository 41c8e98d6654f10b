import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '@countersign/client-sdk'
import type { OpenCountersign } from '@countersign/server'
import { expect } from 'vitest'
import { directClient, phoneLogin, signPayment, standing, statusOf } from '../src/testing/over-http.ts'
import { signInWithPhone } from './many-servers.ts'
import { someAtATime } from './some-at-a-time.ts'

/** How a request was answered. */
export interface Answered {
  readonly status: number
  /** When it was sent, and how long its answer took, in milliseconds. */
  readonly at: number
  readonly took: number
  readonly retryAfter: string | null
}

/** People at work on servers whose database comes and goes; what they were told is noted. */
export interface Load {
  readonly answers: readonly Answered[]
  /** Works until aborted, whatever is refused. Rejects where there is no answer. */
  run(until: AbortSignal): Promise<void>
  /** Looks, at one of the servers, whether everything that was acknowledged holds; tells how much that was. */
  check(): Promise<{ readonly approvals: number; readonly logouts: number; readonly rotations: number }>
}

/** From when until when, in milliseconds of the process, the database was away. */
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
    /** Those that neither were under way when the database went nor were sent before it was back. */
    refusedOutsideOutages: refused.filter(isOutside).length,
    /** Milliseconds. */
    longestAnswer: Math.round(Math.max(...answers.map(({ took }) => took))),
    firstSuccessAfterReturn: outages.map(({ to }) => {
      const successes = answers.filter(({ status, at, took }) => status === 200 && at + took > to)
      return Math.round(Math.min(...successes.map(({ at, took }) => at + took)) - to)
    }),
  }
}

/** Prints what a test of faults has measured. */
export const tellFigures = (what: string, figures: Readonly<Record<string, unknown>>): void => {
  process.stdout.write(`${what}: ${JSON.stringify(figures)}\n`)
}

/** Milliseconds that somebody waits who was refused for now; less than they are told, to find out more. */
const PATIENCE = 20

/** @param urls The servers, to which the people are spread. */
export const openLoad = async (core: OpenCountersign, urls: readonly string[], people: number): Promise<Load> => {
  const answers: Answered[] = []
  const clients = urls.map((baseUrl) =>
    directClient(baseUrl, async (request) => {
      const at = performance.now()
      const response = await fetch(request)
      const { status, headers } = response
      answers.push({ status, at, took: performance.now() - at, retryAfter: headers.get('retry-after') })
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
    await client.confirmations.verify(approval, { token: mobile.accessToken })
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
    run: async (until) => {
      await Promise.all(
        users.map(async (user, index) => {
          const client = clients[index % clients.length] ?? first
          while (!until.aborted) await tryTo(work(client, user))
        }),
      )
    },
    check: async () => {
      await someAtATime(approvals, async ({ confirmationId, token }) =>
        expect((await first.confirmations.status({ confirmationId }, { token })).status).toBe('approved'),
      )
      await someAtATime(loggedOut, async (token) => expect(await standing(first, token)).toBe(401))
      await someAtATime(spent, async (refreshToken) => expect(await statusOf(first.mobile.refresh({ refreshToken }))).toBe(401))
      return { approvals: approvals.length, logouts: loggedOut.length, rotations: spent.length }
    },
  }
}

import type { OperationName } from '@countersign/contract'
import { expect } from 'vitest'
import { startStopwatch } from '../../../../tools/testing/stopwatch.ts'
import { anExample, bodyOf, type Example, hasBody, operationOf, pathWith } from './examples.ts'
import { expectDocumented } from './expect-answer.ts'
import type { DeviceUser } from './sign-in.ts'
import type { SendOptions, TestAnswer, TestApp } from './test-app.ts'

/** An invalid request, derived from a valid one. */
export interface Attempt {
  readonly what: string
  send(example: Example): Promise<TestAnswer>
  /** True if the request is refused before the caller is known, so that the example stays valid. */
  readonly keepsExample?: boolean
}

/** Milliseconds. Far more than any response takes, because the machine may be busy. */
const SLOWEST = 2000

/** The refusals that are decided before any use case runs. */
const refusedForForm: ReadonlySet<number> = new Set([400, 404, 405, 413, 415])

/** Sends the example of an operation with a changed path, body or header. */
export const sendWith =
  (test: TestApp, name: OperationName, change: (example: Example) => SendOptions & { path?: string }) =>
  (example: Example): Promise<TestAnswer> => {
    const { path = pathWith(name, example.input), ...options } = change(example)
    const { method, headers = {} } = operationOf(name)
    const given = Object.entries(headers).map(([member, header]) => [header, String(example.input[member])])
    const content = hasBody(name) && options.body === undefined ? { json: bodyOf(name, example.input) } : {}
    const sent = { ...content, ...example.options, ...options }
    return test.send(method, path, { ...sent, headers: { ...Object.fromEntries(given), ...options.headers } })
  }

/** Valid example requests, from which tests derive invalid ones. */
export interface ExampleSupply {
  /** Returns the current example. It stays the same until it is used up. */
  next(): Promise<Example>
  /** Reports the status of a derived request. Reads and early refusals do not use up the example. */
  answered(status: number): void
  /** Sends the unchanged example, which must succeed. */
  finish(): Promise<void>
}

/** Operations that use up something of a user which keeps the tokens of the user valid. */
const usesUpUser: ReadonlySet<OperationName> = new Set([
  'auth.refresh',
  'mobile.refresh',
  'password.change',
  'password.redeem',
  'devices.vouch',
  'passkeys.vouch',
])

/** The number of examples that share a user: below the limit of open approval requests. Signing a user in takes the most time. */
const EXAMPLES_PER_USER = 4

const isSignedIn = async ({ countersign }: TestApp, { token, deviceToken }: DeviceUser): Promise<boolean> => {
  const callers = [token, deviceToken].map((one) => countersign.auth.authenticate({ token: one }))
  return (await Promise.allSettled(callers)).every(({ status }) => status === 'fulfilled')
}

export const supplyExamples = (test: TestApp, name: OperationName): ExampleSupply => {
  let current: Example | undefined
  let last: DeviceUser | undefined
  let made = 0
  const next = async (): Promise<Example> => {
    if (current !== undefined) return current
    const sameUser =
      last !== undefined && made % EXAMPLES_PER_USER !== 0 && !usesUpUser.has(name) && (await isSignedIn(test, last))
    if (!sameUser) made = 0
    current = await anExample(test, name, sameUser ? last : undefined)
    last = current.user
    made += 1
    return current
  }
  return {
    next,
    answered: (status) => {
      if (!refusedForForm.has(status) && operationOf(name).method !== 'GET') current = undefined
    },
    finish: async () => {
      const { input, options } = await next()
      const { status, text } = await test.call(name, input, options)
      expect(status, `${name}, as it should be: ${text}`).toBe(operationOf(name).success)
      expect('polluted' in {} || 'admin' in {}, 'the prototype of every object').toBe(false)
    },
  }
}

/**
 * Sends derived requests one after another and checks each response against the documentation. The unchanged example must still
 * succeed at the end.
 *
 * @returns the number of responses for each status
 */
export const sendAttempts = async (
  test: TestApp,
  name: OperationName,
  attempts: Iterable<Attempt>,
): Promise<Readonly<Record<number, number>>> => {
  const seen: Record<number, number> = {}
  const supply = supplyExamples(test, name)
  for (const { what, send, keepsExample } of attempts) {
    const example = await supply.next()
    const time = startStopwatch()
    const answer = await send(example)
    expect(time(), `${name}, ${what}: milliseconds`).toBeLessThan(SLOWEST)
    expectDocumented(operationOf(name), answer, `${name}, ${what}`)
    seen[answer.status] = (seen[answer.status] ?? 0) + 1
    if (keepsExample !== true) supply.answered(answer.status)
  }
  await supply.finish()
  return seen
}

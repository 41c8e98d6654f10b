import { isDeepStrictEqual } from 'node:util'
import { type OperationName, operations } from '@countersign/contract'
import { examples as described } from '@countersign/contract/openapi'
import { describe, expect, it } from 'vitest'
import { anExample, operationNames } from '../src/testing/examples.ts'
import { createTestApp } from '../src/testing/test-app.ts'

/** The values that only a running server or a new key can provide. All others are sent as described. */
const LIVE = new Set([
  'refreshToken',
  'deviceId',
  'sessionId',
  'signedChallenge',
  'confirmationId',
  'approvalId',
  'customerId',
  'uniqueCode',
  'challengeId',
  'credential',
  'credentialId',
  'code',
  'userId',
  'user',
  'signedInAt',
])

const PASSWORD = 'correct horse battery staple'

/** Returns the described example, with current values from a call that succeeds. */
const liveInput = (name: OperationName, live: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(described[name].input).map(([member, value]) => [member, LIVE.has(member) ? live[member] : value]),
  )

/** Compares the member names at every depth. Nullable values and list items are compared only if both sides have them. */
const outlinesOf = (answered: unknown, shown: unknown): readonly [unknown, unknown] => {
  if (answered === null || shown === null) return [null, null]
  if (Array.isArray(answered) && Array.isArray(shown)) {
    return answered.length === 0 || shown.length === 0 ? [[], []] : outlinesOf(answered[0], shown[0])
  }
  if (typeof answered !== 'object' || typeof shown !== 'object') return [typeof answered, typeof shown]
  const members = (value: object, other: object, side: 0 | 1) =>
    Object.fromEntries(
      Object.entries(value).map(([name, inner]) => {
        const opposite = (other as Readonly<Record<string, unknown>>)[name]
        return [name, (side === 0 ? outlinesOf(inner, opposite) : outlinesOf(opposite, inner))[side]]
      }),
    )
  return [members(answered, shown, 0), members(shown, answered, 1)]
}

describe('the examples of the API description', () => {
  it.each(operationNames)('%s can be sent as shown, and is answered as shown', async (name) => {
    const test = await createTestApp()
    await test.countersign.users.create({ email: 'ada@example.com', password: PASSWORD })
    const example = await anExample(test, name)
    const { status, body } = await test.call(name, liveInput(name, example.input), example.options)
    expect(status).toBe(operations[name].success)
    const answered = operations[name].envelope === 'data' ? (body as { readonly data: unknown }).data : body
    const [outline, shown] = outlinesOf(answered, described[name].output)
    expect(outline).toEqual(shown)
    const { message } = (described[name].output ?? {}) as { readonly message?: string }
    if (message !== undefined) expect(answered).toMatchObject({ message })
  })

  it('can be sent with few values replaced', () => {
    const verbatim = operationNames.filter((name) => {
      const { input } = described[name]
      return isDeepStrictEqual(liveInput(name, {}), input)
    })
    expect(verbatim).toEqual(
      expect.arrayContaining(['auth.login', 'devices.beginRegistration', 'confirmations.initiate', 'projects.list']),
    )
  })
})

import { createTestCountersign, type TestCountersign, type TestCountersignOverrides } from '@countersign/storage-sqlite/testing'
import { describe, expect, it } from 'vitest'
import { ConfirmationRequired } from '../src/approvals/doors/errors.ts'
import type { GateName } from '../src/approvals/gate-options.ts'
import { approve } from '../src/testing/approve-payment.ts'
import { type DeviceUser, signInNewDeviceUser } from '../src/testing/sign-in.ts'

type Gates = NonNullable<NonNullable<TestCountersignOverrides['options']>['gates']>

/** A call of an operation that a gate guards, on data of its own. */
interface GatedCall {
  /** Makes the call as the user, with this approval. */
  run(confirmationId: string | undefined): Promise<unknown>
  /** Reads what the call changes. */
  read(): Promise<unknown>
}

/** Prepares a call on a fresh database. The user has every permission. */
export type PrepareCall = (test: TestCountersign, user: DeviceUser) => Promise<GatedCall>

const prepare = async (gates: Gates, prepareCall: PrepareCall) => {
  const test = await createTestCountersign({ options: { gates } })
  // This passes no gate.
  const user = await signInNewDeviceUser(test)
  await test.storage.transaction((tx) => tx.users.change(user.user.id, 1, { permissions: ['*.*'] }, test.clock.now()))
  const call = await prepareCall(test, user)
  // Every change of a row changes the time of the last change too.
  test.clock.advance(1000)
  return { test, user, ...call }
}

const outcomeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'done',
    (error: unknown) => error,
  )

/** Tests that a gate guards exactly the `guarded` calls: each needs one approval, for one use, and only with its own gate. */
export const describeGated = (
  gate: GateName,
  allOthers: Gates,
  calls: { readonly guarded: Readonly<Record<string, PrepareCall>>; readonly free?: Readonly<Record<string, PrepareCall>> },
): void => {
  const { [gate]: _, ...others } = allOthers
  const own = { [gate]: allOthers[gate] } as Gates

  describe(`the gate ${gate}`, () => {
    it.each(Object.entries(calls.guarded))(
      'asks for one approval of %s, and for none without the gate',
      async (_what, prepareCall) => {
        const { test, user, run, read } = await prepare(own, prepareCall)
        const before = await read()
        const refusal = await outcomeOf(run(undefined))
        if (!(refusal instanceof ConfirmationRequired)) throw new Error(`the gate is open: ${refusal}`)
        expect(refusal.details.operation).toBe(gate)
        expect(await read()).toStrictEqual(before)

        const confirmation = await test.countersign.confirmations.initiate({ ...refusal.details, caller: user.web.caller })
        expect(await outcomeOf(run(confirmation.id))).toMatchObject({ code: 'confirmation_not_approved' })
        expect(await read()).toStrictEqual(before)
        await approve(test, user, confirmation)
        expect(await outcomeOf(run(confirmation.id))).toBe('done')
        expect(await read()).not.toStrictEqual(before)
        expect(await test.storage.confirmations.byId(confirmation.id)).toMatchObject({
          consumedBy: `gate:${gate}`,
        })

        const free = await prepare(others, prepareCall)
        expect(await outcomeOf(free.run(undefined))).toBe('done')
      },
    )

    it.each(Object.entries(calls.free ?? {}))('asks for no approval of %s', async (_what, prepareCall) => {
      const { run, read } = await prepare(own, prepareCall)
      const before = await read()
      expect(await outcomeOf(run(undefined))).toBe('done')
      expect(await read()).not.toStrictEqual(before)
    })
  })
}

import { type OperationName, operations } from '@countersign/contract'
import { expect } from 'vitest'
import { errorBodyOf } from '../error-body.ts'
import { expectDocumented } from '../expect-answer.ts'
import type { TestApp } from '../test-app.ts'
import type { Begun, Finish } from './ceremony.ts'

/** How a ceremony is refused. */
export interface Refusal {
  readonly status: 400 | 401 | 404 | 409 | 410
  readonly message: string
}

/** One thing that is wrong with a ceremony. In all else it is the good one. */
export interface Violation<Ceremony, Options, Changes> {
  readonly name: string
  /** The good ceremony. */
  readonly ceremony?: Ceremony
  /** What browser and authenticator do otherwise. */
  readonly changes?: Changes | ((begun: Begun<Options, Changes>) => Changes | Promise<Changes>)
  /** What is sent in place of their answer. */
  readonly sent?: (answer: Finish, begun: Begun<Options, Changes>) => Finish | Promise<Finish>
  /** Whose token is sent in place of the owner's. */
  readonly as?: (begun: Begun<Options, Changes>) => Promise<string>
  /** What happens before it is sent. */
  readonly meanwhile?: (begun: Begun<Options, Changes>) => Promise<unknown>
  /** `Invalid passkey` by default. */
  readonly refusal?: Refusal
  /** Whether the ceremony can still be finished: by default where the request was malformed. */
  readonly leavesOpen?: boolean
}

/** The one refusal of whatever fails in a ceremony. */
const invalid: Refusal = { status: 401, message: 'Invalid passkey' }

type Begin<Ceremony, Options, Changes> = (test: TestApp, ceremony?: Ceremony) => Promise<Begun<Options, Changes>>

/**
 * Holds the server to the refusal of a violation: that the good ceremony succeeds; that with the violation it is refused as
 * it should be, and nothing changes; and that it cannot be tried a second time.
 */
export const expectRefusal = async <Ceremony, Options, Changes>(
  test: TestApp,
  operation: Extract<OperationName, `passkeys.finish${string}`>,
  begin: Begin<Ceremony, Options, Changes>,
  violation: Violation<Ceremony, Options, Changes>,
): Promise<void> => {
  const { ceremony, changes, sent = unchanged, as, meanwhile, refusal = invalid } = violation
  const control = await begin(test, ceremony)
  const good = await control.finish(control.answer())
  expect([good.status, good.text], 'the good ceremony').toEqual([operations[operation].success, good.text])

  const begun = await begin(test, ceremony)
  const made =
    typeof changes === 'function' ? await (changes as (of: typeof begun) => Changes | Promise<Changes>)(begun) : changes
  const input = await sent(begun.answer(made), begun)
  await meanwhile?.(begun)
  const options = as === undefined ? {} : { token: await as(begun) }
  const before = await begun.state()
  const answer = await begun.finish(input, options)
  expectDocumented(operations[operation], answer, violation.name)
  expect(answer.body).toEqual(errorBodyOf(refusal.status, refusal.message))
  expect(answer.status).toBe(refusal.status)
  expect(await begun.state()).toStrictEqual(before)

  const { leavesOpen = refusal.status === 400 } = violation
  const again = await begun.finish(begun.answer())
  expect([again.status === operations[operation].success, again.text], 'a second attempt').toEqual([leavesOpen, again.text])
  if (!leavesOpen) expect(await begun.state()).toStrictEqual(before)
}

const unchanged = (answer: Finish): Finish => answer

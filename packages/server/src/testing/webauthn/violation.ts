import { type OperationName, operations } from '@countersign/contract'
import { expect } from 'vitest'
import { errorBodyOf } from '../error-body.ts'
import { expectDocumented } from '../expect-answer.ts'
import type { TestApp } from '../test-app.ts'
import type { Begun, Finish } from './ceremony.ts'

/** The expected refusal of a ceremony. */
export interface Refusal {
  readonly status: 400 | 401 | 404 | 409 | 410
  readonly message: string
  /** The members of the body beside status and message, if they do not follow from these. */
  readonly body?: Readonly<Record<string, unknown>>
}

/** A single fault in an otherwise valid ceremony. */
export interface Violation<Ceremony, Options, Changes> {
  readonly name: string
  /** The parameters of the valid ceremony. */
  readonly ceremony?: Ceremony
  /** The deviations of browser and authenticator. */
  readonly changes?: Changes | ((begun: Begun<Options, Changes>) => Changes | Promise<Changes>)
  /** Returns the input to send instead of the original one. */
  readonly sent?: (answer: Finish, begun: Begun<Options, Changes>) => Finish | Promise<Finish>
  /** Returns the token to send instead of the owner's. */
  readonly as?: (begun: Begun<Options, Changes>) => Promise<string>
  /** Runs before the input is sent. */
  readonly meanwhile?: (begun: Begun<Options, Changes>) => Promise<unknown>
  /** `Invalid passkey` by default. */
  readonly refusal?: Refusal
  /** True if the ceremony can still be finished. By default true for malformed requests. */
  readonly leavesOpen?: boolean
}

/** The response to every ceremony that fails a check. */
const invalid: Refusal = { status: 401, message: 'Invalid passkey' }

type Begin<Ceremony, Options, Changes> = (test: TestApp, ceremony?: Ceremony) => Promise<Begun<Options, Changes>>

/**
 * Checks that the valid ceremony succeeds, that the violation is refused as expected and changes nothing, and that the ceremony
 * cannot be finished a second time.
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
  expect(answer.body).toEqual({ ...errorBodyOf(refusal.status, refusal.message), ...refusal.body })
  expect(answer.status).toBe(refusal.status)
  expect(await begun.state()).toStrictEqual(before)

  const { leavesOpen = refusal.status === 400 } = violation
  const again = await begun.finish(begun.answer())
  expect([again.status === operations[operation].success, again.text], 'a second attempt').toEqual([leavesOpen, again.text])
  if (!leavesOpen) expect(await begun.state()).toStrictEqual(before)
}

const unchanged = (answer: Finish): Finish => answer

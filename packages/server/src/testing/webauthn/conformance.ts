import { type OperationName, operations } from '@countersign/contract'
import { describe, expect, it } from 'vitest'
import { expectDocumented } from '../expect-answer.ts'
import { createTestApp, type TestApp } from '../test-app.ts'
import { type Begun, type Finish, withCredential, withResponse } from './ceremony.ts'

/** A case of a FIDO conformance test for servers, built by us from its public name. */
export interface ConformanceCase<Ceremony, Changes> {
  readonly name: string
  /** The parameters of the valid ceremony. */
  readonly ceremony?: Ceremony
  /** The deviations of browser and authenticator. */
  readonly changes?: Changes
  /** Returns the input to send instead of the original one. */
  readonly sent?: (answer: Finish) => Finish
}

/** The cases of one test of the conformance tool. */
export interface ConformanceTest<Ceremony, Changes> {
  /** The end of the test's name, and its subject. */
  readonly test: string
  readonly cases: readonly ConformanceCase<Ceremony, Changes>[]
  /** The expected response: a success, a malformed request, or an answer that fails a check. */
  readonly status: 200 | 400 | 401
}

/** Checks the server's response to each case: never a server error, and a refusal is as documented and changes nothing. */
export const describeConformance = <Ceremony, Options, Changes>(
  name: string,
  operation: Extract<OperationName, `passkeys.finish${string}`>,
  begin: (test: TestApp, ceremony?: Ceremony) => Promise<Begun<Options, Changes>>,
  tests: readonly ConformanceTest<Ceremony, Changes>[],
): void => {
  describe.each(tests)(`${name}-$test: answered with $status`, ({ cases, status }) => {
    it.each(cases)('$name', async ({ name: what, ceremony, changes, sent }) => {
      const { answer, finish, state } = await begin(await createTestApp(), ceremony)
      const good = answer(changes)
      const before = await state()
      const given = await finish(sent === undefined ? good : sent(good))
      expectDocumented(operations[operation], given, what)
      expect([given.status, given.text]).toEqual([status, given.text])
      if (status !== operations[operation].success) expect(await state()).toStrictEqual(before)
    })
  })
}

type Place = (answer: Finish, members: Finish) => Finish

/** Values of other types than text. */
const notText = [null, true, 7, [], {}, ['AA']]

/** Cases of a member that is missing, not text, empty, or not base64url. */
const brokenText = (place: Place, member: string) => ({
  missing: (answer: Finish) => place(answer, { [member]: undefined }),
  ofAnotherType: notText.map((value) => (answer: Finish) => place(answer, { [member]: value })),
  empty: (answer: Finish) => place(answer, { [member]: '' }),
  notBase64Url: ['*', 'A', 'AA AA', 'ÄÄÄÄ', 'AB', '-_+/', 'AA=A', 'AAA\n'].map(
    (value) => (answer: Finish) => place(answer, { [member]: value }),
  ),
})

const brokenCredential = (member: string) => brokenText(withCredential, member)
export const brokenResponse = (member: string) => brokenText(withResponse, member)

type Sent = (answer: Finish) => Finish

interface SentCase {
  readonly name: string
  readonly sent: Sent
}

/** Returns one case for each variant of a fault. */
export const inEachWay = (name: string, ways: readonly Sent[]): readonly SentCase[] =>
  ways.map((sent, index) => ({ name: `${name} (${index + 1})`, sent }))

const [id, rawId, clientDataJSON] = [brokenCredential('id'), brokenCredential('rawId'), brokenResponse('clientDataJSON')]

/** The tests with the same names for a registration and a login. */
export const malformedCases: readonly SentCase[] = [
  { name: 'F-1: without an id', sent: id.missing },
  ...inEachWay('F-2: with an id that is not text', id.ofAnotherType),
  ...inEachWay('F-3: with an id that is not base64url', id.notBase64Url),
  { name: 'F-4: without a type', sent: (answer) => withCredential(answer, { type: undefined }) },
  ...inEachWay('F-5: with a type that is not text', brokenCredential('type').ofAnotherType),
  { name: 'F-6: with a type that is not public-key', sent: (answer) => withCredential(answer, { type: 'public_key' }) },
  { name: 'F-7: without a response', sent: (answer) => withCredential(answer, { response: undefined }) },
  ...inEachWay(
    'F-8: with a response that is not an object',
    [null, 7, 'response', []].map((response) => (answer) => withCredential(answer, { response })),
  ),
  { name: 'F-9: without client data', sent: clientDataJSON.missing },
  ...inEachWay('F-10: with client data that is not text', clientDataJSON.ofAnotherType),
  { name: 'F-11: with empty client data', sent: clientDataJSON.empty },
]

/** Additional cases with the same expected refusal, for a registration and a login. */
export const malformedCasesBeyond: readonly SentCase[] = [
  { name: 'an empty id', sent: id.empty },
  { name: 'no raw id', sent: rawId.missing },
  ...inEachWay('a raw id that is not base64url', rawId.notBase64Url),
  ...inEachWay('client data that is not base64url', clientDataJSON.notBase64Url),
  ...inEachWay(
    'an invalid challenge id',
    [undefined, null, 7, '', 'x', {}].map((challengeId) => (answer) => ({ ...answer, challengeId })),
  ),
  ...inEachWay(
    'a credential that is not an object',
    [undefined, null, 7, '', 'x', []].map((credential) => (answer) => ({ ...answer, credential })),
  ),
]

/** Returns a case with changed members of the client data. */
interface ClientDataCase {
  readonly name: string
  readonly changes: { readonly clientData: Readonly<Record<string, unknown>> }
}

const clientDataCases = (cases: readonly (readonly [string, Readonly<Record<string, unknown>>])[]): readonly ClientDataCase[] =>
  cases.map(([name, clientData]) => ({ name, changes: { clientData } }))

/** Cases of malformed client data, in the same order for both ceremonies. */
export const malformedClientDataCases = clientDataCases([
  ['F-1: without a type', { type: undefined }],
  ['F-2: with a type that is not text', { type: 7 }],
  ['F-6: without a challenge', { challenge: undefined }],
  ['F-7: with a challenge that is not text', { challenge: 7 }],
  ['F-11: without an origin', { origin: undefined }],
  ['F-12: with an origin that is not text', { origin: 7 }],
])

/** Cases of client data with wrong values. */
export const brokenClientData = (ownType: string, otherType: string): readonly ClientDataCase[] =>
  clientDataCases([
    ['F-3: with an empty type', { type: '' }],
    [`F-4: with a type that is not ${ownType}`, { type: `${ownType}.x` }],
    [`F-5: with the type ${otherType}`, { type: otherType }],
    ['F-8: with an empty challenge', { challenge: '' }],
    ['F-9: with a challenge that is not base64url', { challenge: '*+/=' }],
    ['F-10: with a challenge that was not given', { challenge: 'A'.repeat(86) }],
    ['F-13: with an empty origin', { origin: '' }],
    ['F-14: with an origin that is not ours', { origin: 'https://evil.test' }],
  ])

/** The tool refuses these cases. WebAuthn Level 3 reads the member in no step, so it is ignored like any unknown member. */
export const ignoredTokenBindings = clientDataCases([
  ['F-15, which Level 3 accepts: with a token binding that is not an object', { tokenBinding: 'present' }],
  ['F-16, which Level 3 accepts: with a token binding without a status', { tokenBinding: { id: 'AA' } }],
  ['F-17, which Level 3 accepts: with an unknown token binding status', { tokenBinding: { status: 'perhaps' } }],
])

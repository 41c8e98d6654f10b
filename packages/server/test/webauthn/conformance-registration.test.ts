import type { CreationChanges } from '@countersign/core/testing'
import { describe, expect, it } from 'vitest'
import { signIn } from '../../src/testing/sign-in.ts'
import { createTestApp } from '../../src/testing/test-app.ts'
import {
  beginRegistration,
  type RegistrationCeremony,
  withCredential,
  withResponse,
} from '../../src/testing/webauthn/ceremony.ts'
import {
  brokenClientData,
  brokenResponse,
  type ConformanceCase,
  type ConformanceTest,
  describeConformance,
  ignoredTokenBindings,
  inEachWay,
  malformedCases,
  malformedCasesBeyond,
  malformedClientDataCases,
} from '../../src/testing/webauthn/conformance.ts'

/*
 * Our own tests under the public names of the FIDO conformance tests for servers. The tests of attestation are in a separate
 * file. They are not a certification. If our policy refuses what the tool would accept, the case says so.
 */

type Case = ConformanceCase<RegistrationCeremony, CreationChanges>

const attestationObject = brokenResponse('attestationObject')

const malformed: readonly Case[] = [
  ...malformedCases,
  { name: 'F-12: without an attestation object', sent: attestationObject.missing },
  ...inEachWay('F-13: with an attestation object that is not text', attestationObject.ofAnotherType),
  { name: 'F-14: with an empty attestation object', sent: attestationObject.empty },
]

/** Additional cases with the same expected refusal. */
const malformedBeyond: readonly Case[] = [
  ...malformedCasesBeyond,
  ...inEachWay('an attestation object that is not base64url', attestationObject.notBase64Url),
  ...inEachWay(
    'invalid transports',
    [7, 'usb', ['USB'], [7], Array(1000).fill('usb')].map((transports) => (answer) => withResponse(answer, { transports })),
  ),
]

const tests: readonly ConformanceTest<RegistrationCeremony, CreationChanges>[] = [
  { test: 'Resp-1: a malformed request', cases: malformed, status: 400 },
  { test: 'Resp-1 and beyond: a malformed request', cases: malformedBeyond, status: 400 },
  { test: 'Resp-2: client data without its form', cases: malformedClientDataCases, status: 400 },
  { test: 'Resp-2: client data', cases: brokenClientData('webauthn.create', 'webauthn.get'), status: 401 },
  {
    test: 'Resp-1 and beyond: a request with additional members',
    cases: [
      {
        name: 'members of the credential',
        sent: (answer) => withCredential(answer, { authenticatorAttachment: 'platform', future: [{}], toString: 1 }),
      },
      {
        name: 'members of the response',
        sent: (answer) =>
          withResponse(answer, { authenticatorData: 7, publicKey: {}, publicKeyAlgorithm: 'x', signature: null, future: [] }),
      },
      { name: 'members of the request', sent: (answer) => ({ ...answer, userId: 1, publicKey: {}, rpId: 'evil.test' }) },
    ],
    status: 200,
  },
  {
    test: 'Resp-2: client data',
    cases: [
      { name: 'with a token binding that is supported', changes: { clientData: { tokenBinding: { status: 'supported' } } } },
      ...ignoredTokenBindings,
      { name: 'with members of the future', changes: { clientData: { future: { a: [1] } } } },
    ],
    status: 200,
  },
]

describeConformance('Server-ServerAuthenticatorAttestationResponse', 'passkeys.finishRegistration', beginRegistration, tests)

describe('Server-ServerAuthenticatorAttestationResponse-Resp-1', () => {
  it('P-1: a registered passkey is listed, so that it is not registered again', async () => {
    const test = await createTestApp()
    const owner = await signIn(test)
    const { passkey, answer, finish, options } = await beginRegistration(test, {}, owner)
    expect(options.excludeCredentials).toEqual([])
    expect((await finish(answer())).status).toBe(200)
    const next = await beginRegistration(test, {}, owner)
    expect(next.options.excludeCredentials).toMatchObject([{ type: 'public-key', id: passkey.id }])
  })
})

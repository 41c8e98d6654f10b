import type { AssertionChanges } from '@countersign/core/testing'
import { beginLogin, type LoginCeremony, responseOf, withCredential, withResponse } from '../../src/testing/webauthn/ceremony.ts'
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
 * Our own tests under the public names of the FIDO conformance tests for servers. They are not a certification. If Level 3 of
 * WebAuthn refuses what the tool would accept, the case says so.
 */

type Case = ConformanceCase<LoginCeremony, AssertionChanges>

const [authenticatorData, signature, userHandle] = [
  brokenResponse('authenticatorData'),
  brokenResponse('signature'),
  brokenResponse('userHandle'),
]

const malformed: readonly Case[] = [
  ...malformedCases,
  { name: 'F-12: without authenticator data', sent: authenticatorData.missing },
  ...inEachWay('F-13: with authenticator data that is not text', authenticatorData.ofAnotherType),
  ...inEachWay('F-14: with authenticator data that is not base64url', authenticatorData.notBase64Url),
  { name: 'F-15: with empty authenticator data', sent: authenticatorData.empty },
  { name: 'F-16: without a signature', sent: signature.missing },
  ...inEachWay('F-17: with a signature that is not text', signature.ofAnotherType),
  ...inEachWay('F-18: with a signature that is not base64url', signature.notBase64Url),
  { name: 'F-19: with an empty signature', sent: signature.empty },
  ...inEachWay(
    'F-21: with a user handle that is not text',
    [true, 7, [], {}, ['AA']].map((value) => (answer) => withResponse(answer, { userHandle: value })),
  ),
]

/** Additional cases with the same expected refusal. */
const malformedBeyond: readonly Case[] = [
  ...malformedCasesBeyond,
  ...inEachWay('a user handle that is not base64url', userHandle.notBase64Url),
]

const required: LoginCeremony = { begin: { userVerification: 'required' } }
const neither = { userPresent: false, userVerified: false }

const refused: readonly ConformanceTest<LoginCeremony, AssertionChanges>[] = [
  { test: 'Resp-1: a malformed request', cases: malformed, status: 400 },
  { test: 'Resp-1 and beyond: a malformed request', cases: malformedBeyond, status: 400 },
  {
    test: 'Resp-1: a signature',
    cases: [{ name: 'F-20: that cannot be verified', changes: { signature: (bytes) => Buffer.from(bytes).reverse() } }],
    status: 401,
  },
  { test: 'Resp-2: client data without its form', cases: malformedClientDataCases, status: 400 },
  {
    test: 'Resp-1 and beyond: a request without an email',
    cases: [{ name: 'with an empty user handle, which counts as none', sent: userHandle.empty }],
    status: 401,
  },
  { test: 'Resp-2: client data', cases: brokenClientData('webauthn.get', 'webauthn.create'), status: 401 },
  {
    test: 'Resp-3: authenticator data without its form',
    cases: [
      {
        name: 'F-1: with something after it',
        changes: { authenticatorDataBytes: (bytes) => Buffer.concat([bytes, Buffer.alloc(4)]) },
      },
    ],
    status: 400,
  },
  {
    test: 'Resp-3: authenticator data',
    cases: [
      {
        name: 'P-4, which Level 3 refuses: user neither present nor verified, when verification is preferred',
        ceremony: { begin: { userVerification: 'preferred' } },
        changes: { flags: neither },
      },
      {
        name: 'P-7, which Level 3 refuses: user neither present nor verified, when verification is discouraged',
        ceremony: { begin: { userVerification: 'discouraged' } },
        changes: { flags: neither },
      },
      { name: 'F-2: of another relying party', changes: { rpId: 'evil.test' } },
      {
        name: 'F-3: signed with the hash of other client data',
        sent: (answer) => {
          const json = Buffer.from(String(responseOf(answer).clientDataJSON), 'base64url').toString()
          return withResponse(answer, { clientDataJSON: Buffer.from(`${json} `).toString('base64url') })
        },
      },
      { name: 'F-4: with a count that does not rise', ceremony: { passkey: { counts: true } }, changes: { signCount: 1 } },
      {
        name: 'F-5: with the user present but not verified, when verification is required',
        ceremony: required,
        changes: { flags: { userVerified: false } },
      },
    ],
    status: 401,
  },
]

const accepted: readonly ConformanceTest<LoginCeremony, AssertionChanges>[] = [
  {
    test: 'Resp-1: a request',
    cases: [
      { name: 'P-1: valid' },
      {
        name: 'with additional members of the credential',
        sent: (answer) => withCredential(answer, { authenticatorAttachment: 'x', clientExtensionResults: 7, future: [{}] }),
      },
      {
        name: 'with additional members of the response',
        sent: (answer) => withResponse(answer, { attestationObject: 7, future: null }),
      },
      { name: 'with additional members', sent: (answer) => ({ ...answer, userId: 1, email: [], rpId: 'evil.test' }) },
      { name: 'with an email and an empty user handle, as Safari sends it', ceremony: { byEmail: true }, sent: userHandle.empty },
    ],
    status: 200,
  },
  { test: 'Resp-2: client data', cases: ignoredTokenBindings, status: 200 },
  {
    test: 'Resp-3: authenticator data',
    cases: [
      { name: 'P-1: of an authenticator that does not count', ceremony: { passkey: { counts: false } } },
      {
        name: 'P-2: with the user verified, when verification is required',
        ceremony: required,
        changes: { flags: { userVerified: true } },
      },
      { name: 'P-3: with the user present and verified, when verification is required', ceremony: required },
      {
        name: 'P-5: with the user present, when verification is discouraged',
        ceremony: { begin: { userVerification: 'discouraged' } },
        changes: { flags: { userVerified: false } },
      },
      {
        name: 'P-6: with the user verified, when verification is discouraged',
        ceremony: { begin: { userVerification: 'discouraged' } },
      },
      { name: 'P-8: with extensions', changes: { extensions: new Map([['example.extension', 'a text']]) } },
      { name: 'of an authenticator that counts', ceremony: { passkey: { counts: true } } },
    ],
    status: 200,
  },
]

describeConformance('Server-ServerAuthenticatorAssertionResponse', 'passkeys.finishLogin', beginLogin, [...refused, ...accepted])

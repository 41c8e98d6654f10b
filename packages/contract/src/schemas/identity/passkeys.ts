import * as z from 'zod'
import { limits } from '../../limits.ts'
import {
  authenticatorAttachments,
  passkeyAlgorithms,
  residentKeyRequirements,
  userVerificationRequirements,
} from '../../vocabulary.ts'
import {
  acknowledgement,
  base64Url,
  binary,
  deviceName,
  enrolmentCode,
  extendedTrust,
  extendedVouching,
  matching,
  oneOf,
  rememberMe,
  startedVouching,
  text,
  timestamp,
  trueOrFalse,
  uuid,
  vouchingState,
} from '../fields.ts'
import { tokenPair } from './auth.ts'

/*
 * Browser data has the names of WebAuthn Level 3 §5.1.8 to §5.1.10. Requests take the result of a credential's `toJSON()`.
 * Browsers can pass the responses to `parseCreationOptionsFromJSON()` and `parseRequestOptionsFromJSON()`.
 */

const object = { error: 'must be an object' }

const userVerification = oneOf(userVerificationRequirements)
const residentKey = oneOf(residentKeyRequirements)
const authenticatorAttachment = oneOf(authenticatorAttachments)
const publicKeyType = z.literal('public-key', { error: 'must be public-key' })

/** The schema bounds the length only: an id of another form names no credential. */
const credentialId = text(1, 2048, 'must be the id of a passkey')

const transport = matching(/^[a-z][a-z0-9-]{0,31}$/, 'must be a transport such as internal, hybrid or usb')
const transportsTake = `must be a list of at most ${limits.credentialTransports} transports`
/** Values of newer browsers are kept too. */
const transports = z.array(transport, { error: transportsTake }).max(limits.credentialTransports, { error: transportsTake })

const clientData = binary(8192, 'client data')
const credentialHead = {
  id: binary(limits.credentialIdBytes, 'a credential id'),
  rawId: binary(limits.credentialIdBytes, 'a credential id'),
  type: publicKeyType,
}

const createdCredential = z.object(
  {
    ...credentialHead,
    response: z.object(
      {
        clientDataJSON: clientData,
        attestationObject: binary(65_536, 'an attestation object'),
        transports: transports.optional(),
      },
      object,
    ),
    clientExtensionResults: z
      .object({ credProps: z.object({ rk: trueOrFalse.optional() }, object).optional() }, object)
      .optional(),
  },
  object,
)

const assertedCredential = z.object(
  {
    ...credentialHead,
    response: z.object(
      {
        clientDataJSON: clientData,
        authenticatorData: binary(8192, 'authenticator data'),
        signature: binary(2048, 'a signature'),
        // Safari sends an empty text if there is no user handle.
        userHandle: binary(64, 'a user handle', 0).optional(),
      },
      object,
    ),
  },
  object,
)

const descriptor = z.object({ type: publicKeyType, id: base64Url, transports: z.array(z.string()).optional() })

const creationOptions = z.object({
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: base64Url, name: z.string(), displayName: z.string() }),
  challenge: base64Url,
  pubKeyCredParams: z.array(z.object({ type: publicKeyType, alg: z.literal(passkeyAlgorithms) })),
  timeout: z.int(),
  excludeCredentials: z.array(descriptor),
  authenticatorSelection: z.object({
    residentKey,
    requireResidentKey: z.boolean(),
    userVerification,
    authenticatorAttachment: authenticatorAttachment.optional(),
  }),
  attestation: z.literal('none'),
  extensions: z.object({ credProps: z.literal(true) }),
})

const requestOptions = z.object({
  challenge: base64Url,
  timeout: z.int(),
  rpId: z.string(),
  allowCredentials: z.array(descriptor),
  userVerification,
})

const passkey = z
  .object({
    id: base64Url,
    name: z.string(),
    createdAt: timestamp,
    transports: z.array(z.string()),
    backedUp: z.boolean(),
    ...extendedTrust,
  })
  .meta({ id: 'Passkey' })
const listedPasskey = passkey.extend({ lastUsedAt: timestamp.nullable() }).meta({ id: 'ListedPasskey' })

export const passkeyShapes = {
  'passkeys.beginRegistration': {
    input: z.object({
      userVerification: userVerification.optional(),
      authenticatorSelection: z
        .object(
          {
            residentKey: residentKey.optional(),
            requireResidentKey: trueOrFalse.optional(),
            userVerification: userVerification.optional(),
            authenticatorAttachment: authenticatorAttachment.optional(),
          },
          object,
        )
        .optional(),
      enrolmentCode,
    }),
    output: z.object({ challengeId: uuid, publicKey: creationOptions }),
  },
  'passkeys.finishRegistration': {
    input: z.object({
      challengeId: uuid,
      credential: createdCredential,
      /** The name of the passkey; without a name, the service chooses one. */
      name: deviceName.optional(),
    }),
    output: z.object({ success: z.literal(true), credential: passkey, ...extendedVouching }),
  },
  'passkeys.beginLogin': {
    input: z.object({
      // The limit of length is that of a password login, so that a long wrong email gets the same response as any other.
      email: text(1, 320, 'must be an email address').optional(),
      userVerification: userVerification.optional(),
    }),
    output: z.object({ challengeId: uuid, publicKey: requestOptions }),
  },
  'passkeys.finishLogin': {
    input: z.object({ challengeId: uuid, credential: assertedCredential, rememberMe }),
    output: tokenPair,
  },
  'passkeys.list': { input: z.object({}), output: z.object({ credentials: z.array(listedPasskey) }) },
  'passkeys.rename': {
    input: z.object({ credentialId, name: deviceName }),
    output: z.object({ success: z.literal(true), credential: listedPasskey }),
  },
  'passkeys.vouching': { input: z.object({ credentialId }), output: vouchingState },
  'passkeys.vouch': { input: z.object({ credentialId }), output: startedVouching },
  'passkeys.remove': { input: z.object({ credentialId }), output: acknowledgement },
} as const

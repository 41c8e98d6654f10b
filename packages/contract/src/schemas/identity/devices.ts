import * as z from 'zod'
import { limits } from '../../limits.ts'
import {
  acknowledgement,
  challenge,
  deviceFingerprint,
  deviceName,
  deviceType,
  enrolmentCode,
  extendedNonce,
  extendedTrust,
  extendedVouching,
  keyAlgorithm,
  publicKey,
  registeredWith,
  signedChallenge,
  startedVouching,
  text,
  timestamp,
  uuid,
  vouchingState,
} from '../fields.ts'

const device = z
  .object({
    id: uuid,
    deviceName: z.string(),
    deviceType,
    deviceFingerprint: z.string(),
    isActive: z.boolean(),
    lastUsedAt: timestamp.nullable(),
    createdAt: timestamp,
    updatedAt: timestamp,
    ...extendedTrust,
  })
  .meta({ id: 'Device' })

const languageTakes = 'must be a language tag (BCP 47) of at most 35 characters'

export const deviceShapes = {
  'devices.list': { input: z.object({}), output: z.object({ devices: z.array(device) }) },
  'devices.remove': { input: z.object({ deviceId: uuid }), output: acknowledgement },
  'devices.setPushToken': {
    input: z.object({
      /** Without it, the passkey that opened the session of the caller gets the push token. */
      deviceId: uuid.optional(),
      /** `null` removes the push token. */
      pushToken: text(1, limits.pushTokenCharacters).nullable(),
      /** The language (BCP 47) of the words in messages to this token; English by default. */
      language: z
        .string({ error: languageTakes })
        .max(35, { error: languageTakes })
        .regex(/^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$/, { error: languageTakes })
        .optional(),
    }),
    output: acknowledgement,
  },
  'devices.beginRegistration': {
    input: z.object({
      deviceName,
      deviceType,
      deviceFingerprint,
      publicKey,
      keyAlgorithm,
      enrolmentCode,
      registeredWith: registeredWith.optional(),
    }),
    output: z.object({ challenge, nonce: extendedNonce, expiresAt: timestamp, deviceId: uuid, sessionId: uuid }),
  },
  'devices.finishRegistration': {
    input: z.object({ sessionId: uuid, signedChallenge }),
    output: z.object({ success: z.literal(true), deviceId: uuid, device, ...extendedVouching }),
  },
  'devices.vouching': { input: z.object({ deviceId: uuid }), output: vouchingState },
  'devices.vouch': { input: z.object({ deviceId: uuid }), output: startedVouching },
} as const

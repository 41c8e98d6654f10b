import * as z from 'zod'
import {
  challenge,
  deviceFingerprint,
  extendedNonce,
  rememberMe,
  renewalKey,
  signedChallenge,
  timestamp,
  token,
  uuid,
} from '../fields.ts'
import { tokenPair } from './auth.ts'

const biometricLogin = z.object({ success: z.literal(true), tokens: tokenPair })

export const mobileShapes = {
  'mobile.beginLogin': {
    input: z.object({ deviceFingerprint }),
    output: z.object({ challenge, nonce: extendedNonce, expiresAt: timestamp, sessionId: uuid }),
  },
  'mobile.finishLogin': {
    input: z.object({ sessionId: uuid, signedChallenge, rememberMe }),
    output: biometricLogin,
  },
  'mobile.refresh': { input: z.object({ refreshToken: token, renewalKey }), output: biometricLogin },
} as const

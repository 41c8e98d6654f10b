import * as z from 'zod'
import { acknowledgement, rememberMe, renewalKey, text, timestamp, token } from '../fields.ts'

export const tokenPair = z
  .object({
    accessToken: z.string(),
    refreshToken: z.string(),
    accessTokenExpiresAt: timestamp,
    refreshTokenExpiresAt: timestamp,
  })
  .meta({ id: 'TokenPair' })

export const authShapes = {
  'auth.login': {
    input: z.object({
      // Longer than any valid email or password, so that a long wrong value gets the same response as any wrong login.
      email: text(1, 320, 'must be an email address'),
      password: text(1, 1024),
      rememberMe,
    }),
    output: tokenPair,
  },
  'auth.refresh': { input: z.object({ refreshToken: token, renewalKey }), output: tokenPair },
  'auth.logout': { input: z.object({ refreshToken: token }), output: acknowledgement },
} as const

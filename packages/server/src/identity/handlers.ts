import type { identityOperations } from '@countersign/contract'
import type { CountersignIdentity } from '@countersign/core'
import type { HandlersOf } from '../http/operation-handler.ts'
import { accountHandlers } from './routes/account.ts'
import { authHandlers } from './routes/auth.ts'
import { deviceHandlers } from './routes/devices.ts'
import { mobileHandlers } from './routes/mobile.ts'
import { passkeyHandlers } from './routes/passkeys.ts'

/** Makes the handlers of identity. */
export const identityHandlers = (countersign: CountersignIdentity): HandlersOf<typeof identityOperations> => ({
  ...authHandlers(countersign),
  ...accountHandlers(countersign),
  ...deviceHandlers(countersign),
  ...mobileHandlers(countersign),
  ...passkeyHandlers(countersign),
})

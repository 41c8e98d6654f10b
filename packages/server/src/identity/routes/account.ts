import type { Output } from '@countersign/contract'
import { type CountersignIdentity, toIsoTimestamp } from '@countersign/core'
import type { OwnSession } from '@countersign/core/types'
import { canonicalAddress } from '../../http/client-address.ts'
import type { OperationHandlers } from '../../http/operation-handler.ts'
import { serializeTokenPair } from '../serializers/token-pair.ts'

/** Neither the ids of tokens nor expiries are shown. */
const serializeOwnSession = (session: OwnSession): Output<'sessions.list'>['sessions'][number] => ({
  id: session.id,
  current: session.current,
  kind: session.kind,
  authMethod: session.authMethod,
  deviceId: session.deviceId,
  createdAt: toIsoTimestamp(session.createdAt),
  lastUsedAt: toIsoTimestamp(session.lastUsedAt),
  address: session.address,
  userAgent: session.userAgent,
  hostSignIn: session.host && {
    method: session.host.method,
    signedInAt: toIsoTimestamp(session.host.signedInAt),
    userVerified: session.userVerified,
    openedBy: session.host.openedBy,
  },
})

export const accountHandlers = ({
  account,
  password,
  sessions,
}: Pick<CountersignIdentity, 'account' | 'password' | 'sessions'>) =>
  ({
    'password.change': async ({ input, caller, client }) => {
      await password.change({ ...input, ...client, caller })
      return { success: true, message: 'Password changed' }
    },
    'password.redeem': async ({ input }) => {
      await password.setWithCode(input)
      return { success: true, message: 'Password set' }
    },
    'account.lock': async ({ caller }) => {
      await account.lock({ caller })
      return { success: true, message: 'Account locked' }
    },
    'sessions.list': async ({ input, caller }) => {
      const { items, next } = await sessions.listOwn({ ...input, caller })
      return { sessions: items.map(serializeOwnSession), nextCursor: next }
    },
    'sessions.open': async ({ input, service, facts }) => {
      // The address of the user's client; `client` has the address of the calling service. The core checks its type.
      const address = typeof input.address === 'string' ? canonicalAddress(input.address) : input.address
      const opened = await sessions.openForService({ ...input, ...(address !== undefined && { address }), service })
      return { ...serializeTokenPair(opened, facts), sessionId: opened.sessionId }
    },
    'sessions.end': async ({ input, caller }) => {
      await sessions.endOwn({ ...input, caller })
      return { success: true, message: 'Session ended' }
    },
    'sessions.endOthers': async ({ caller }) => {
      await sessions.endOthers({ caller })
      return { success: true, message: 'Other sessions ended' }
    },
  }) satisfies Partial<OperationHandlers>

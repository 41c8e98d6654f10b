import type { CountersignIdentity, OwnSession } from '@countersign/core'
import { canonicalAddress } from '../../http/client-address.ts'
import { acknowledged, type OperationHandlers } from '../../http/operation-handler.ts'
import { noteUser } from '../../http/request-log.ts'

const shown = ({ host, ...session }: OwnSession) => ({
  ...session,
  hostSignIn: host && { ...host, userVerified: session.userVerified },
})

export const accountHandlers = ({
  account,
  password,
  sessions,
}: Pick<CountersignIdentity, 'account' | 'password' | 'sessions'>) =>
  ({
    'password.change': async ({ input, caller, client }) =>
      acknowledged(password.change({ ...input, ...client, caller }), 'Password changed'),
    'password.forgot': async ({ input }) =>
      acknowledged(password.forgot(input), 'If the account can set a password, a code is on its way to its email'),
    'password.checkCode': async ({ input }) => password.checkCode(input),
    'password.redeem': async ({ input, client, facts }) => {
      const tokens = await password.setWithCode({ ...input, ...client })
      return { success: true, message: 'Password set', ...(tokens && { tokens: noteUser(facts, tokens) }) }
    },
    'account.me': async ({ caller }) => {
      const { user, session, trust, can } = await account.me({ caller })
      return { user: { ...user, permissions: [...user.permissions] }, session: shown(session), trust, can }
    },
    'account.lock': async ({ caller }) => acknowledged(account.lock({ caller }), 'Account locked'),
    'sessions.list': async ({ input, caller }) => {
      const { items, next } = await sessions.listOwn({ ...input, caller })
      return { sessions: items.map(shown), nextCursor: next }
    },
    'sessions.open': async ({ input, service, facts }) => {
      // The address of the user's client; `client` has the address of the calling service. The core checks its type.
      const address = typeof input.address === 'string' ? canonicalAddress(input.address) : input.address
      return noteUser(facts, await sessions.openForService({ ...input, ...(address !== undefined && { address }), service }))
    },
    'sessions.end': async ({ input, caller }) => acknowledged(sessions.endOwn({ ...input, caller }), 'Session ended'),
    'sessions.endOthers': async ({ caller }) => acknowledged(sessions.endOthers({ caller }), 'Other sessions ended'),
  }) satisfies Partial<OperationHandlers>

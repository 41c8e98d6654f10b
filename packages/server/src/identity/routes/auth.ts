import type { CountersignIdentity } from '@countersign/core'
import { acknowledged, type OperationHandlers } from '../../http/operation-handler.ts'
import { noteUser } from '../../http/request-log.ts'
import { namedChallenge } from './devices.ts'

export const authHandlers = ({ auth, mobile }: Pick<CountersignIdentity, 'auth' | 'mobile'>) =>
  ({
    'auth.login': async ({ input, client, facts }) => noteUser(facts, await auth.login({ ...input, ...client })),
    'auth.refresh': async ({ input, facts }) => noteUser(facts, await auth.refresh(input)),
    'auth.logout': async ({ input, caller }) => acknowledged(auth.logout({ ...input, caller }), 'Logged out'),
    'internal.verify': async ({ input, token }) => ({ valid: true, claims: await auth.introspect({ ...input, token }) }),
    'mobile.beginLogin': async ({ input }) => namedChallenge(await mobile.beginLogin(input)),
    'mobile.finishLogin': async ({ input, client, facts }) => ({
      success: true,
      tokens: noteUser(facts, await mobile.finishLogin({ ...input, ...client })),
    }),
    'mobile.refresh': async ({ input, facts }) => ({ success: true, tokens: noteUser(facts, await mobile.refresh(input)) }),
  }) satisfies Partial<OperationHandlers>

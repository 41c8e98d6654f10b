import { type CountersignApprovals, toIsoTimestamp } from '@countersign/core'
import type { OperationHandlers } from '../../http/operation-handler.ts'

type Started = Awaited<ReturnType<CountersignApprovals['vouching']['restart']>>

const serializeStarted = ({ expiresAt, ...started }: Started) => ({ ...started, expiresAt: toIsoTimestamp(expiresAt) })

export const vouchingHandlers = ({ vouching }: Pick<CountersignApprovals, 'vouching'>) =>
  ({
    'devices.vouch': async ({ input, caller, client }) =>
      serializeStarted(await vouching.restart({ ...input, ...client, caller })),
    'passkeys.vouch': async ({ input, caller, client }) =>
      serializeStarted(await vouching.restartOfPasskey({ ...input, ...client, caller })),
  }) satisfies Partial<OperationHandlers>

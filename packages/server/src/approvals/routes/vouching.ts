import { type CountersignApprovals, toIsoTimestamp } from '@countersign/core'
import type { OperationHandlers } from '../../http/operation-handler.ts'

export const vouchingHandlers = ({ vouching }: Pick<CountersignApprovals, 'vouching'>) =>
  ({
    'devices.vouch': async ({ input, caller, client }) => {
      const { expiresAt, ...started } = await vouching.restart({ ...input, ...client, caller })
      return { ...started, expiresAt: toIsoTimestamp(expiresAt) }
    },
  }) satisfies Partial<OperationHandlers>

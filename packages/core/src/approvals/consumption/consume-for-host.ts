import * as z from 'zod'
import type { Instant } from '../../shared/clock.ts'
import { storableText } from '../../shared/input-schemas.ts'
import type { ApprovalDeps } from '../deps.ts'
import { type ApprovalUse, type ConsumeDeps, consumeIn } from './consume-in.ts'
import { hostClient } from './host-transaction.ts'
import { consumeWithReceipt } from './receipt-of-use.ts'

/** The ports that the use of an approval by the host needs. */
export type HostConsumeDeps = ConsumeDeps & Pick<ApprovalDeps, 'storage' | 'users' | 'random' | 'issueReceipt'>

const consumedByTakes = 'must be text of 1 to 200 characters that names the one operation'

/** The types of the members that every use by the host has. */
export const hostUseShape = {
  actionType: storableText,
  actionPayload: z.looseObject({}, { error: 'must be an object' }),
  operation: storableText.optional(),
  tenant: storableText.optional(),
  consumedBy: storableText.min(1, { error: consumedByTakes }).max(200, { error: consumedByTakes }),
  client: hostClient,
}

/** The result of a consumption. */
export interface ConsumedApproval {
  /** The receipt of the approval; `null` if the host configured no receipts. */
  readonly receipt: string | null
  readonly consumedAt: Instant
}

/** Consumes an approval in the ports of `inHostTransaction`. @throws the errors of `consumeIn` and of the issuer */
export const consumeForHost = async (deps: HostConsumeDeps, use: ApprovalUse, mayRepeat: boolean): Promise<ConsumedApproval> => {
  const { storage, users, issueReceipt } = deps
  // Brings the row of the user up to date, because the statement that consumes reads the row.
  if (users.areKeptByHost) await users.byId(use.userId)
  if (issueReceipt === undefined)
    return { receipt: null, consumedAt: (await consumeIn(deps, storage, use, { mayRepeat })).consumedAt }
  const { confirmation, receipt } = await consumeWithReceipt(deps, storage, use, issueReceipt, mayRepeat)
  return { receipt, consumedAt: confirmation.consumedAt }
}

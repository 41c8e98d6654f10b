import { type ConfirmationStatus, confirmationStatuses, hostChosenName } from '@countersign/contract'
import * as z from 'zod'
import { listAll, type WithEmail } from '../../identity/user-model/list-all.ts'
import { storableText } from '../../shared/input-schemas.ts'
import { type ListAll, listAllShape, type Page } from '../../shared/list-page.ts'
import type { ApprovalDeps } from '../deps.ts'
import type { ConfirmationPageQuery } from '../records/confirmation.ts'
import { type ConfirmationRecord, toRecord } from './confirmation-record.ts'

/** The input of a list of confirmations across users. */
export interface ListAllConfirmations extends ListAll, Pick<ConfirmationPageQuery, 'actionType' | 'tenant'> {
  /** Only confirmations that have this status now. */
  readonly status?: ConfirmationStatus | undefined
}

export const listAllConfirmationsShape = {
  ...listAllShape,
  status: z.enum(confirmationStatuses, { error: `must be one of ${confirmationStatuses.join(', ')}` }).optional(),
  actionType: storableText.optional(),
  tenant: hostChosenName.optional(),
}

/** A confirmation with the email of the user. */
export type ListedConfirmation = WithEmail<ConfirmationRecord>

/**
 * Returns a page of the confirmations of all users, newest first, for an administrator. Decrypts no field.
 * @throws UserNotFound
 * @example const { items } = await countersign.confirmations.listAll({ email: 'ada@example.com', status: 'approved' })
 */
export function listAllConfirmations(
  deps: Pick<ApprovalDeps, 'storage' | 'clock'>,
  { status, actionType, tenant, ...input }: ListAllConfirmations,
): Promise<Page<ListedConfirmation>> {
  return listAll(deps, input, async (page) => {
    const now = deps.clock.now()
    const confirmations = await deps.storage.confirmations.page({ ...page, status, actionType, tenant, now })
    return confirmations.map((confirmation) => toRecord(confirmation, now))
  })
}

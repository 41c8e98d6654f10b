import type { ExpressionBuilder } from 'kysely'
import { ownPasskeys } from '../../identity/passkeys-store.ts'
import { none } from '../../shared/database.ts'
import { preparedQuery } from '../../shared/prepared-query.ts'
import type { Tables } from '../../tables/index.ts'

/** Locks the approval request of a confirmation until the transaction ends, so that its approvals come one after another. */
export const lockRequestOf = preparedQuery((db, { id }: { readonly id: string }, { lockForUpdate }) =>
  lockForUpdate(
    db
      .selectFrom('approval_requests')
      .select('id')
      .where('id', '=', db.selectFrom('confirmations').select('approval_id').where('confirmations.id', '=', id)),
  ),
)

/** The passkeys that the requester of a confirmation has, or those that were removed. */
const passkeysOfRequester = (the: ExpressionBuilder<Tables, 'confirmations'>, own: (typeof ownPasskeys)[number]) =>
  the
    .selectFrom('approval_requests')
    .innerJoin(own, 'own.user_id', 'approval_requests.requested_by')
    .select('own.spki')
    .whereRef('approval_requests.id', '=', 'confirmations.approval_id')

interface Key {
  readonly device_public_key: string | null
  readonly device_thumbprint: string | null
}

/** The devices with this public key that the requester of a confirmation has or had. */
const devicesOfRequester = (the: ExpressionBuilder<Tables, 'confirmations'>) =>
  the
    .selectFrom('approval_requests')
    .innerJoin('devices', 'devices.user_id', 'approval_requests.requested_by')
    .select('devices.id')
    .whereRef('approval_requests.id', '=', 'confirmations.approval_id')

/**
 * The condition that no other approval of the confirmation's request is by this key, and that the requester never had a device or
 * passkey with this key. Always true for a confirmation without a request, for which the database does not look for keys.
 */
export const isFreshKey = (the: ExpressionBuilder<Tables, 'confirmations'>, key: Key) => {
  const approvals = the
    .selectFrom('confirmations as others')
    .select('others.id')
    .whereRef('others.approval_id', '=', 'confirmations.approval_id')
    .where('others.status', '=', 'approved')
    .where('others.voided_at', 'is', null)
    .where('others.device_thumbprint', '=', key.device_thumbprint)
    .limit(1)
  const devices = devicesOfRequester(the)
    .where('devices.public_key', '=', key.device_public_key as string)
    .limit(1)
  const passkeys = ownPasskeys.map((own) =>
    passkeysOfRequester(the, own)
      .where('own.spki', '=', key.device_public_key as string)
      .limit(1),
  )
  // For `not exists`, PostgreSQL reads the whole table if it planned the statement while the table was small.
  const areMissing = [approvals, devices, ...passkeys].map((query) => the(query, 'is', null))
  return the.or([the('confirmations.approval_id', 'is', null), the.and(areMissing)])
}

/** The condition that no passkey and no device of the requester has or had the key of an approval. */
export const isNotOfRequester = (the: ExpressionBuilder<Tables, 'confirmations'>) =>
  the.and([
    none(devicesOfRequester(the).whereRef('devices.public_key', '=', 'confirmations.device_public_key')),
    ...ownPasskeys.map((own) => none(passkeysOfRequester(the, own).whereRef('own.spki', '=', 'confirmations.device_public_key'))),
  ])

import type { ConfirmationUse, Instant } from '@countersign/core/storage'
import type { ExpressionBuilder, Kysely } from 'kysely'
import { coversTenant } from '../../identity/bound.ts'
import { none } from '../../shared/none.ts'
import { preparedQuery } from '../../shared/prepared-query.ts'
import type { Tables } from '../../tables/index.ts'
import { approved } from './pending-confirmations.ts'

/** The approvals that nobody has used, and that no lock or disabling of the account has voided. */
const updateUnused = (db: Kysely<Tables>, userId: number) =>
  db
    .updateTable('confirmations')
    .where('user_id', '=', userId)
    .where('status', '=', approved)
    .where('consumed_at', 'is', null)
    .where('voided_at', 'is', null)

/** Vouchings are approved for one purpose only: to make their device or passkey trusted. */
export const isNoVouching = (the: ExpressionBuilder<Tables, 'confirmations'>) =>
  none(the.selectFrom('vouchings').select('kind').whereRef('vouchings.confirmation_id', '=', 'confirmations.id'))

/** The user, if the account is neither disabled nor locked. */
export const openAccount = (db: Kysely<Tables>, userId: number) =>
  db
    .selectFrom('users')
    .select('users.id')
    .where('users.id', '=', userId)
    .where('users.disabled_at', 'is', null)
    .where('users.locked_at', 'is', null)

export const useApproval = preparedQuery(
  (db, { confirmationId, userId, approvedSince, consumedBy, consumedKey, receipt, now }: ConfirmationUse) =>
    updateUnused(db, userId)
      .where('id', '=', confirmationId)
      .where('approval_id', 'is', null)
      .where('approved_at', '>=', approvedSince)
      .where(isNoVouching)
      .where((the) => the.exists(openAccount(db, userId)))
      .where((the) =>
        the.or([
          the.exists(
            the
              .selectFrom('devices')
              .select('devices.id')
              .whereRef('devices.id', '=', 'confirmations.device_id')
              .where('devices.removed_at', 'is', null)
              .where('devices.user_id', '=', userId)
              .where('devices.trusted_at', '<=', now)
              .where((device) => coversTenant(device.ref('devices.tenants'), device.ref('confirmations.tenant'))),
          ),
          the.exists(
            the
              .selectFrom('passkeys')
              .select('passkeys.id')
              .whereRef('passkeys.id', '=', 'confirmations.passkey_id')
              .where('passkeys.user_id', '=', userId)
              .where('passkeys.trusted_at', '<=', now)
              .where((passkey) => coversTenant(passkey.ref('passkeys.tenants'), passkey.ref('confirmations.tenant'))),
          ),
        ]),
      )
      .set({ consumed_at: now, consumed_by: consumedBy, consumed_key: consumedKey, consumed_receipt: receipt })
      .returning('id'),
)

export const voidApprovals = preparedQuery((db, { userId, now }: { readonly userId: number; readonly now: Instant }) =>
  updateUnused(db, userId).set({ voided_at: now }),
)

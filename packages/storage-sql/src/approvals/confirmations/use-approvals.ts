import type { ConfirmationUse, Instant } from '@countersign/core/storage'
import type { ExpressionBuilder, Kysely } from 'kysely'
import { coversTenant } from '../../identity/bound.ts'
import { none } from '../../shared/database.ts'
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

/** The condition that the signer of an approval is trusted in its tenant: a device or a passkey, whose id is in the column. */
const isTrusted = (
  the: ExpressionBuilder<Tables, 'confirmations'>,
  signers: 'devices' | 'passkeys',
  column: 'device_id' | 'passkey_id',
  { userId, now }: { readonly userId: number; readonly now: Instant },
) =>
  the.exists(
    the
      .selectFrom(`${signers} as signer` as 'devices as signer')
      .select('signer.id')
      .whereRef('signer.id', '=', `confirmations.${column}`)
      .$if(signers === 'devices', (devices) => devices.where('signer.removed_at', 'is', null))
      .where('signer.user_id', '=', userId)
      .where('signer.trusted_at', '<=', now)
      .where((signer) => coversTenant(signer.ref('signer.tenants'), signer.ref('confirmations.tenant'))),
  )

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
          isTrusted(the, 'devices', 'device_id', { userId, now }),
          isTrusted(the, 'passkeys', 'passkey_id', { userId, now }),
        ]),
      )
      .set({ consumed_at: now, consumed_by: consumedBy, consumed_key: consumedKey, consumed_receipt: receipt })
      .returning('id'),
)

export const voidApprovals = preparedQuery((db, { userId, now }: { readonly userId: number; readonly now: Instant }) =>
  updateUnused(db, userId).set({ voided_at: now }),
)

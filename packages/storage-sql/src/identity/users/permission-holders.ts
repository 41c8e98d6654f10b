import type { Instant } from '@countersign/core/storage'
import { type ExpressionBuilder, sql } from 'kysely'
import type { Database } from '../../shared/database.ts'
import { parseTexts } from '../../shared/record-mapping.ts'
import type { Row, SignerKind, Tables } from '../../tables/index.ts'

type HoldingUser = Pick<Row<'users'>, 'id' | 'permissions' | 'disabled_at' | 'locked_at'>

/** The most rows of one statement. Databases bound the number of values of a statement. */
const ROWS_AT_ONCE = 5000

const permissionsOf = ({ permissions, disabled_at, locked_at }: HoldingUser): readonly string[] =>
  disabled_at === null && locked_at === null ? parseTexts(permissions) : []

const insertHolders = async (tx: Database, rows: readonly Row<'permission_holders'>[]): Promise<void> => {
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
    await tx.write((db) => db.insertInto('permission_holders').values(rows.slice(at, at + ROWS_AT_ONCE)))
  }
}

/** Adds the permissions of new users, in the transaction that adds the users. */
export const addHolders = (tx: Database, users: readonly HoldingUser[]): Promise<void> =>
  insertHolders(
    tx,
    users.flatMap((user) =>
      permissionsOf(user).map((permission) => ({ user_id: user.id, permission, has_signer: 0, asked_at: 0 }) as const),
    ),
  )

/** With what a user may approve now or at a later time. See `SignerKind`. */
const signerOf = (the: ExpressionBuilder<Tables, 'permission_holders'>, userId: number) =>
  the
    .case()
    .when(
      the.exists(
        the
          .selectFrom('devices')
          .select('devices.id')
          .where('devices.user_id', '=', userId)
          .where('removed_at', 'is', null)
          .where('trusted_at', 'is not', null),
      ),
    )
    .then(sql.lit<SignerKind>(1))
    .when(
      the.exists(
        the
          .selectFrom('passkeys')
          .select('passkeys.id')
          .where('passkeys.user_id', '=', userId)
          .where('trusted_at', 'is not', null),
      ),
    )
    .then(sql.lit<SignerKind>(2))
    .else(sql.lit<SignerKind>(0))
    .end()

/**
 * Brings the rows of a user up to date with permissions, disabling and lock, after the change of the user's row in its
 * transaction.
 */
export const changeHolder = async (tx: Database, user: HoldingUser): Promise<void> => {
  const held = await tx.read((db) =>
    db.selectFrom('permission_holders').select(['permission', 'asked_at']).where('user_id', '=', user.id),
  )
  const [before, after] = [new Set(held.map(({ permission }) => permission)), new Set(permissionsOf(user))]
  const lost = [...before].filter((permission) => !after.has(permission))
  if (lost.length > 0) {
    await tx.write((db) => db.deleteFrom('permission_holders').where('user_id', '=', user.id).where('permission', 'in', lost))
  }
  const gained = [...after].filter((permission) => !before.has(permission))
  if (gained.length === 0) return
  const common = { user_id: user.id, has_signer: 0, asked_at: held[0]?.asked_at ?? 0 } as const
  await insertHolders(
    tx,
    gained.map((permission) => ({ ...common, permission })),
  )
  await noteApprover(tx, user.id)
}

/**
 * Notes whether a user has a device, or only passkeys, trusted now or later. Runs after each statement that makes one trusted or
 * removes one, in its transaction, which locks the user. A row of a user who cannot approve only costs time, but a row that says
 * too little would hide the user.
 */
export const noteApprover = async (tx: Database, userId: number): Promise<void> => {
  await tx.write((db) =>
    db
      .updateTable('permission_holders')
      .set((the) => ({ has_signer: signerOf(the, userId) }))
      .where('user_id', '=', userId),
  )
}

/** Notes that users were asked at this time, in a transaction that locks the rows of the users. */
export const noteAsked = async (tx: Database, userIds: readonly number[], now: Instant): Promise<void> => {
  if (userIds.length === 0) return
  await tx.write((db) => db.updateTable('permission_holders').set({ asked_at: now }).where('user_id', 'in', userIds))
}

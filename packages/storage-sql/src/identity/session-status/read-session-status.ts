import type { ServiceToken, SessionStatus } from '@countersign/core/storage'
import { type Database, readFirst } from '../../shared/database.ts'
import { preparedQuery } from '../../shared/prepared-query.ts'
import { parseTexts, recordMapping } from '../../shared/record-mapping.ts'
import { toBound } from '../bound.ts'
import { serviceTokenColumns, toServiceToken } from '../service-tokens/service-token-row.ts'
import { membershipColumns, toDepartment, toEmployee } from '../users/user-row.ts'

/** Reads the current status of sessions and service tokens; see `sessions.status` and `serviceTokens.status`. */
export interface SessionStatusReader {
  session(id: string): Promise<SessionStatus | undefined>
  serviceToken(id: string): Promise<ServiceToken | undefined>
}

const userColumns = ['directory_id', 'email', ...membershipColumns, 'permissions'] as const
const sessionMapping = recordMapping('userId kind authMethod deviceId passkeyId createdAt')

const ofSession = preparedQuery((db, { id }: { readonly id: string }) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .leftJoin('devices', (join) => join.onRef('devices.id', '=', 'sessions.device_id').on('devices.removed_at', 'is', null))
    .leftJoin('passkeys', (join) =>
      join.onRef('passkeys.user_id', '=', 'sessions.user_id').onRef('passkeys.id', '=', 'sessions.passkey_id'),
    )
    .select(userColumns.map((column) => `users.${column}` as const))
    .select(sessionMapping.columns.map((column) => `sessions.${column}` as const))
    .select([
      'sessions.tenants',
      'sessions.user_verified',
      'sessions.remember_me',
      'devices.trusted_at as device_trusted_at',
      'passkeys.trusted_at as passkey_trusted_at',
    ])
    .where('sessions.id', '=', id)
    .where('sessions.ended_at', 'is', null)
    .where('users.disabled_at', 'is', null)
    .where('users.locked_at', 'is', null),
)

/** Reads the status from the database at each call, in one statement. */
export const readSessionStatus = (database: Database): SessionStatusReader => ({
  session: async (id) => {
    const row = await database.read((db) => ofSession.first(db, { id }))
    return (
      row && {
        ...sessionMapping.toRecord(row),
        directoryId: row.directory_id,
        email: row.email,
        employee: toEmployee(row),
        department: toDepartment(row),
        permissions: parseTexts(row.permissions),
        tenants: toBound(row.tenants),
        userVerified: row.user_verified === 1,
        rememberMe: row.remember_me === 1,
        trustedAt: row.device_trusted_at ?? row.passkey_trusted_at,
      }
    )
  },

  serviceToken: (id) =>
    readFirst(database, toServiceToken, (db) =>
      db
        .selectFrom('service_tokens')
        .select(serviceTokenColumns)
        .where('id', '=', id)
        .where('revoked_at', 'is', null)
        .executeTakeFirst(),
    ),
})

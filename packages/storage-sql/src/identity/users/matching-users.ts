import { fold, type UserQuery } from '@countersign/core/storage'
import { type ExpressionBuilder, type Kysely, sql } from 'kysely'
import { none } from '../../shared/database.ts'
import type { Tables } from '../../tables/index.ts'

type Users = ExpressionBuilder<Tables, 'users'>

/** The users that are not erased. */
export const known = (db: Kysely<Tables>) => db.selectFrom('users').where('erased_at', 'is', null)

/** The condition that a column contains a text, in the same case. Databases differ in `like`, but not in `replace`. */
const contains = (the: Users, column: 'email' | 'folded_name' | 'permissions', text: string) =>
  the(the.fn<string>('replace', [column, sql.val(text), sql.lit('')]), '!=', the.ref(column))

const devicesOf = (the: Users) =>
  the
    .selectFrom('devices')
    .select('devices.id')
    .whereRef('devices.user_id', '=', 'users.id')
    .where('devices.removed_at', 'is', null)

const hasTrustedPasskey = (the: Users, now: number) =>
  the
    .selectFrom('passkeys')
    .select('passkeys.id')
    .whereRef('passkeys.user_id', '=', 'users.id')
    .where('passkeys.trusted_at', '<=', now)

/** The condition that an email has a character beyond ASCII or a host in punycode. Others had one spelling in every version. */
const isInternational = (the: Users) =>
  the.or([the('email', 'like', '%xn--%'), the(the.fn('octet_length', ['email']), '<>', the.fn('length', ['email']))])

/** The users with a greater id who meet a query. See `UserStore.list`. */
export const matching = (db: Kysely<Tables>, query: UserQuery, afterId = 0) => {
  const { search = '', permission, disabled, locked, departmentId, since, before, noTrustedDeviceAt, needsPasskeyAt } = query
  const { ids, emails, internationalEmail } = query
  return known(db)
    .where('id', '>', afterId)
    .where((the) =>
      the.and([
        ...(search === ''
          ? []
          : [the.or([contains(the, 'email', search.toLowerCase()), contains(the, 'folded_name', fold(search))])]),
        ...(permission === undefined ? [] : [contains(the, 'permissions', JSON.stringify(permission))]),
        ...(disabled === undefined ? [] : [the('disabled_at', disabled ? 'is not' : 'is', null)]),
        ...(locked === undefined ? [] : [the('locked_at', locked ? 'is not' : 'is', null)]),
        ...(departmentId === undefined ? [] : [the('department_id', '=', departmentId)]),
        ...(since === undefined ? [] : [the('created_at', '>=', since)]),
        ...(before === undefined ? [] : [the('created_at', '<', before)]),
        ...(ids === undefined ? [] : [the('id', 'in', ids)]),
        ...(emails === undefined ? [] : [the('email', 'in', emails)]),
        ...(internationalEmail === undefined ? [] : [isInternational(the)]),
        ...(noTrustedDeviceAt === undefined ? [] : [none(devicesOf(the).where('devices.trusted_at', '<=', noTrustedDeviceAt))]),
        ...(needsPasskeyAt === undefined
          ? []
          : [
              the.exists(devicesOf(the).where('devices.registered_with', '=', 'approver')),
              none(hasTrustedPasskey(the, needsPasskeyAt)),
            ]),
      ]),
    )
}

import { createHash, randomBytes } from 'node:crypto'
import { argon2Hasher, type Countersign, normaliseEmail } from '@countersign/core'
import type { Kysely } from 'kysely'
import type { BankTables } from './tables.ts'

type Identity = Pick<Countersign, 'auth' | 'sessions'>

/** The address and the browser of the caller. */
export interface Client {
  readonly address?: string | undefined
  readonly userAgent?: string | undefined
}

/** A customer who is signed in. */
export interface Login {
  readonly customerId: string
  readonly name: string
  /** The customer in Countersign, and the session in which this login asks for approvals. */
  readonly userId: number
  readonly sessionId: string
}

const DAY = 24 * 60 * 60_000
const QUARTER_HOUR = 15 * 60_000
const GUESSES = 10
const hashOf = (cookie: string): string => createHash('sha256').update(cookie).digest('base64url')

/** Ignores that a session has ended before. */
const unlessEnded = (error: { readonly code?: string }): void => {
  if (error.code !== 'nothing_to_change' && error.code !== 'session_not_found') throw error
}

/** The login of the bank: passwords, and cookies that are kept in the database. */
export const openLogins = (db: Kysely<BankTables>, countersign: Identity) => {
  const passwords = argon2Hasher()

  const isGuessing = async (email: string): Promise<boolean> => {
    const { count } = await db
      .selectFrom('login_failures')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .where('email', '=', email)
      .where('failed_at', '>', new Date(Date.now() - QUARTER_HOUR))
      .executeTakeFirstOrThrow()
    return Number(count) >= GUESSES
  }

  const deleteExpired = async (): Promise<void> => {
    await db
      .deleteFrom('login_failures')
      .where('failed_at', '<', new Date(Date.now() - QUARTER_HOUR))
      .execute()
    await db
      .deleteFrom('logins')
      .where('signed_in_at', '<', new Date(Date.now() - DAY))
      .execute()
  }

  return {
    /** Resolves with the cookie of a new login, or with the reason why there is none. */
    signIn: async (given: string, password: string, client: Client): Promise<{ cookie: string } | 'wrong' | 'guessing'> => {
      const email = normaliseEmail(given)
      if (await isGuessing(email)) return 'guessing'
      const customer = await db.selectFrom('customers').selectAll().where('email', '=', email).executeTakeFirst()
      // An unknown email takes as long as a known one.
      const isRight = await passwords.verify(customer?.password_hash ?? null, password)
      if (customer === undefined || customer.blocked || !isRight) {
        await db.insertInto('login_failures').values({ email }).execute()
        return 'wrong'
      }
      await deleteExpired()
      const signedInAt = new Date()
      const { accessToken, sessionId } = await countersign.sessions.open({
        user: { directoryId: customer.id },
        signedInAt: signedInAt.getTime(),
        method: 'password',
        ...client,
      })
      const { userId } = await countersign.auth.authenticate({ token: accessToken })
      const cookie = randomBytes(32).toString('base64url')
      const login = { customer_id: customer.id, signed_in_at: signedInAt, session_id: sessionId, user_id: userId }
      await db
        .insertInto('logins')
        .values({ cookie_hash: hashOf(cookie), ...login })
        .execute()
      return { cookie }
    },

    /** Returns who is signed in with a cookie, for a day. */
    of: async (cookie: string): Promise<Login | undefined> => {
      const row = await db
        .selectFrom('logins')
        .innerJoin('customers', 'customers.id', 'logins.customer_id')
        .selectAll('logins')
        .select('customers.name')
        .where('cookie_hash', '=', hashOf(cookie))
        .where('signed_in_at', '>', new Date(Date.now() - DAY))
        .where('blocked', '=', false)
        .executeTakeFirst()
      if (row === undefined) return undefined
      const { customer_id: customerId, name, session_id: sessionId, user_id: userId } = row
      return { customerId, name, sessionId, userId }
    },

    /** Ends a login and its session of Countersign. Other browsers and the phone stay signed in. */
    signOut: async ({ sessionId }: Login): Promise<void> => {
      await db.deleteFrom('logins').where('session_id', '=', sessionId).execute()
      await countersign.sessions.revoke({ id: sessionId }).catch(unlessEnded)
    },

    /** Blocks a customer: ends all logins, and all sessions of Countersign, also on the phone. The phone stays registered. */
    block: async (customerId: string): Promise<void> => {
      await db.updateTable('customers').set({ blocked: true }).where('id', '=', customerId).execute()
      await db.deleteFrom('logins').where('customer_id', '=', customerId).execute()
      await countersign.sessions.endAll({ user: { directoryId: customerId } })
    },
  }
}

import { type DirectoryUser, type HostClient, normaliseEmail, type UserDirectory } from '@countersign/core'

/** Runs one statement: the pool of the bank, or the client of one of its transactions. */
type Queryable = Pick<HostClient, 'query'>

interface Row {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly password_hash: string
  readonly blocked: boolean
  readonly accounts: readonly { readonly id: string; readonly mayApprove: boolean }[] | null
}

const CUSTOMERS = `
  select c.id, c.email, c.name, c.password_hash, c.blocked,
    (select jsonb_agg(jsonb_build_object('id', m.account_id, 'mayApprove', m.may_approve) order by m.account_id)
     from bank.members m where m.customer_id = c.id) as accounts
  from bank.customers c`

const toUser = ({ id, email, name, password_hash, blocked, accounts }: Row): DirectoryUser => ({
  id,
  email,
  name,
  permissions: (accounts ?? []).flatMap((account) => [
    `payment.create@${account.id}`,
    ...(account.mayApprove ? [`payment.approve@${account.id}`] : []),
  ]),
  // With the password of the bank, a customer signs in to the approver too.
  passwordHash: password_hash,
  disabled: blocked,
})

/** Returns the customers of the bank as users of Countersign. Each call reads the tables, so changes take effect at once. */
export const customerDirectory = (pool: Queryable): UserDirectory => {
  const find = async (client: Queryable, where: string, values: (string | number)[]): Promise<readonly DirectoryUser[]> => {
    const { rows } = await client.query(`${CUSTOMERS} ${where}`, values)
    return (rows as readonly Row[]).map(toUser)
  }
  return {
    byEmail: async (email) => (await find(pool, 'where c.email = $1', [normaliseEmail(email)]))[0],
    // In a transaction of the bank, another connection of the pool might never become free.
    byId: async (id, within) => (await find(within?.client ?? pool, 'where c.id = $1', [id]))[0],
    // The policy of the bank asks for this permission only, and the bank gives it only in the tenant of an account.
    holdersOf: async (permission, tenant, limit) =>
      permission === 'payment.approve' && tenant !== null
        ? find(
            pool,
            `join bank.members holder on holder.customer_id = c.id
             where holder.account_id = $1 and holder.may_approve order by c.id limit $2`,
            [tenant, limit],
          )
        : [],
  }
}

import { type Generated, type Kysely, type Selectable, sql } from 'kysely'

/** A customer, who signs in at the bank. */
interface Customers {
  readonly id: string
  /** The email in the spelling of `normaliseEmail`. */
  readonly email: string
  readonly name: string
  readonly password_hash: string
  blocked: Generated<boolean>
}

/** An account. Its id is the tenant in which payments from the account are approved. */
interface Accounts {
  readonly id: string
  readonly name: string
  /** Cents, so that no sum is rounded. The driver returns a `bigint` as text. */
  cents: bigint | string
}

/** The right of a customer to use an account. Every member may order payments. */
interface Members {
  readonly customer_id: string
  readonly account_id: string
  /** True if the customer may approve large payments of others. */
  may_approve: boolean
}

/** A wrong password, for the limit of guesses. */
interface LoginFailures {
  readonly email: string
  readonly failed_at: Generated<Date>
}

/** A customer who is signed in. */
interface Logins {
  /** The SHA-256 of the cookie, so that a copy of the table signs nobody in. */
  readonly cookie_hash: string
  readonly customer_id: string
  readonly signed_in_at: Date
  /** The session of Countersign in which this login asks for approvals, and the user of the session. */
  readonly session_id: string
  readonly user_id: number
}

interface Payments {
  readonly id: string
  readonly account_id: string
  readonly customer_id: string
  /** The customer as a user of Countersign. */
  readonly user_id: number
  readonly recipient: string
  readonly cents: bigint | string
  /** The confirmation or the approval request; `null` for a payment that needs none. */
  readonly approval_id: string | null
  state: Generated<'waiting' | 'booked' | 'refused'>
  /** Why the payment was refused. */
  reason: Generated<string | null>
  readonly ordered_at: Generated<Date>
  booked_at: Generated<Date | null>
}

/** The evidence for a booking: one receipt of each person who approved. */
interface Receipts {
  readonly payment_id: string
  readonly position: number
  readonly receipt: string
}

export interface BankTables {
  customers: Customers
  accounts: Accounts
  members: Members
  login_failures: LoginFailures
  logins: Logins
  payments: Payments
  receipts: Receipts
}

export type Payment = Selectable<Payments>

const SCHEMA = `
  create schema if not exists bank;
  create table if not exists bank.customers (
    id text primary key,
    email text not null unique,
    name text not null,
    password_hash text not null,
    blocked boolean not null default false
  );
  create table if not exists bank.accounts (
    id text primary key,
    name text not null,
    cents bigint not null check (cents >= 0)
  );
  create table if not exists bank.members (
    customer_id text not null references bank.customers,
    account_id text not null references bank.accounts,
    may_approve boolean not null,
    primary key (account_id, customer_id)
  );
  create index if not exists members_by_customer on bank.members (customer_id);
  create table if not exists bank.login_failures (
    email text not null,
    failed_at timestamptz not null default now()
  );
  create index if not exists login_failures_by_email on bank.login_failures (email, failed_at);
  create table if not exists bank.logins (
    cookie_hash text primary key,
    customer_id text not null references bank.customers,
    signed_in_at timestamptz not null,
    session_id text not null,
    user_id integer not null
  );
  create table if not exists bank.payments (
    id text primary key,
    account_id text not null references bank.accounts,
    customer_id text not null references bank.customers,
    user_id integer not null,
    recipient text not null,
    cents bigint not null check (cents > 0),
    approval_id text unique,
    state text not null default 'waiting' check (state in ('waiting', 'booked', 'refused')),
    reason text,
    ordered_at timestamptz not null default now(),
    booked_at timestamptz
  );
  create index if not exists payments_waiting on bank.payments (ordered_at) where state = 'waiting';
  create index if not exists payments_by_account on bank.payments (account_id, ordered_at);
  create table if not exists bank.receipts (
    payment_id text not null references bank.payments,
    position integer not null,
    receipt text not null,
    primary key (payment_id, position)
  )`

/** Makes the tables of the bank. A lock keeps two servers that start together apart. */
export const createTables = (db: Kysely<BankTables>): Promise<void> =>
  db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtext('bank.tables'))`.execute(trx)
    for (const statement of SCHEMA.split(';')) await sql.raw(statement).execute(trx)
  })

import { randomUUID } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'

/** A transfer in the database of the payment service. */
export interface Transfer {
  readonly id: string
  readonly userId: number
  readonly recipient: string
  /** Cents, so that no sum is rounded. */
  readonly cents: number
  readonly confirmationId: string
  /** `planned` until the money has moved. */
  readonly state: 'planned' | 'done' | 'refused'
  /** The receipt of the approval, for the files. */
  readonly receipt: string | null
}

/** The action that the user approves. It has every fact that the transfer depends on. */
export const actionOf = ({ userId, recipient, cents }: Pick<Transfer, 'userId' | 'recipient' | 'cents'>) =>
  ({
    userId,
    actionType: 'payment_approval',
    actionPayload: { amount: (cents / 100).toFixed(2), currency: 'EUR', recipient },
  }) as const

/** Opens the ledger, which is in another database than Countersign. */
export const openLedger = (path: string) => {
  const database = new DatabaseSync(path)
  database.exec(`
    pragma journal_mode = wal;
    create table if not exists transfers (
      id text primary key,
      userId integer not null,
      recipient text not null,
      cents integer not null check (cents > 0),
      confirmationId text not null,
      state text not null,
      receipt text
    );
    create table if not exists balances (recipient text primary key, cents integer not null)`)

  /** Runs the work in a transaction. */
  const atomically = <T>(work: () => T): T => {
    database.exec('begin immediate')
    try {
      const result = work()
      database.exec('commit')
      return result
    } catch (error) {
      database.exec('rollback')
      throw error
    }
  }

  return {
    plan: (transfer: Pick<Transfer, 'userId' | 'recipient' | 'cents' | 'confirmationId'>): string => {
      const id = randomUUID()
      const { userId, recipient, cents, confirmationId } = transfer
      database
        .prepare('insert into transfers values (?, ?, ?, ?, ?, ?, null)')
        .run(id, userId, recipient, cents, confirmationId, 'planned')
      return id
    },
    byId: (id: string): Transfer | undefined =>
      database.prepare('select * from transfers where id = ?').get(id) as Transfer | undefined,
    planned: (): readonly Transfer[] =>
      database.prepare(`select * from transfers where state = 'planned'`).all() as unknown as readonly Transfer[],
    /** Moves the money of a planned transfer, once: a second call changes nothing. */
    execute: (id: string, receipt: string): void =>
      atomically(() => {
        const mark = database.prepare(`update transfers set state = 'done', receipt = ? where id = ? and state = 'planned'`)
        if (mark.run(receipt, id).changes === 0) return
        database
          .prepare(
            `insert into balances select recipient, cents from transfers where id = ?
             on conflict (recipient) do update set cents = balances.cents + excluded.cents`,
          )
          .run(id)
      }),
    refuse: (id: string): void =>
      void database.prepare(`update transfers set state = 'refused' where id = ? and state = 'planned'`).run(id),
    balanceOf: (recipient: string): number =>
      Number(database.prepare('select cents from balances where recipient = ?').get(recipient)?.cents ?? 0),
    close: () => database.close(),
  }
}

export type Ledger = ReturnType<typeof openLedger>

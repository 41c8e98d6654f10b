import { DatabaseSync } from 'node:sqlite'
import { normaliseEmail } from '@countersign/core'

/** A row in the table of the host. */
export interface Member {
  readonly id: number
  readonly email: string
  readonly displayName: string
  readonly team: string
  readonly role: 'admin' | 'member'
  /** An argon2id PHC string. */
  readonly passwordHash: string | null
  readonly leftOn: string | null
}

/** Opens the database of the host. The only function of Countersign that it uses is the comparison of emails. */
export const openMembers = (path: string) => {
  const database = new DatabaseSync(path)
  database.exec(`
    pragma journal_mode = wal;
    create table if not exists members (
      id integer primary key autoincrement,
      email text not null,
      emailKey text not null unique,
      displayName text not null,
      team text not null,
      role text not null,
      passwordHash text,
      leftOn text
    )`)
  const insert = database.prepare(
    'insert into members (email, emailKey, displayName, team, role, passwordHash, leftOn) values (?, ?, ?, ?, ?, ?, ?) returning id',
  )
  const byEmailKey = database.prepare('select * from members where emailKey = ?')
  const byId = database.prepare('select * from members where id = ?')
  const setEmail = database.prepare('update members set email = ?, emailKey = ? where id = ?')
  const setPassword = database.prepare('update members set passwordHash = ? where id = ?')
  const setLeftOn = database.prepare('update members set leftOn = ? where id = ?')
  const remove = database.prepare('delete from members where id = ?')

  return {
    add: ({ email, displayName, team, role, passwordHash, leftOn }: Omit<Member, 'id'>): number =>
      Number(insert.get(email, normaliseEmail(email), displayName, team, role, passwordHash, leftOn)?.id),
    /** Finds a member by email in any spelling that Countersign treats as equal. */
    byEmail: (email: string) => byEmailKey.get(normaliseEmail(email)) as Member | undefined,
    byId: (id: number) => byId.get(id) as Member | undefined,
    setEmail: (id: number, email: string) => void setEmail.run(email, normaliseEmail(email), id),
    setPassword: (id: number, hash: string | null) => void setPassword.run(hash, id),
    setLeftOn: (id: number, date: string | null) => void setLeftOn.run(date, id),
    remove: (id: number) => void remove.run(id),
    close: () => database.close(),
  }
}

export type Members = ReturnType<typeof openMembers>

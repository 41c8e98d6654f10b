import { DatabaseSync } from 'node:sqlite'
import { normaliseEmail } from '@countersign/core'

/** A row in the table of the host. */
export interface Member {
  readonly id: number
  readonly email: string
  readonly displayName: string
  readonly team: string
  /** An argon2id PHC string. */
  readonly passwordHash: string | null
  readonly leftOn: string | null
}

/** A member, with permissions such as `payment.approve` or `payment.*@acme`. */
export interface PermittedMember extends Member {
  readonly permissions: readonly string[]
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
      passwordHash text,
      leftOn text
    );
    create table if not exists memberPermissions (
      memberId integer not null references members on delete cascade,
      permission text not null,
      primary key (memberId, permission)
    ) without rowid;
    create index if not exists holders on memberPermissions (permission, memberId)`)
  const insert = database.prepare(
    'insert into members (email, emailKey, displayName, team, passwordHash, leftOn) values (?, ?, ?, ?, ?, ?) returning id',
  )
  const byEmailKey = database.prepare('select * from members where emailKey = ?')
  const byId = database.prepare('select * from members where id = ?')
  const setEmail = database.prepare('update members set email = ?, emailKey = ? where id = ?')
  const setPassword = database.prepare('update members set passwordHash = ? where id = ?')
  const setLeftOn = database.prepare('update members set leftOn = ? where id = ?')
  const remove = database.prepare('delete from members where id = ?')
  const permissionsOf = database.prepare('select permission from memberPermissions where memberId = ? order by permission')
  const takeAll = database.prepare('delete from memberPermissions where memberId = ?')
  const give = database.prepare('insert into memberPermissions (memberId, permission) values (?, ?)')
  const holders = database.prepare(
    `select * from members where leftOn is null and id in
       (select memberId from memberPermissions where permission in (select value from json_each(?))) order by id limit ?`,
  )

  const withPermissions = (member: unknown): PermittedMember | undefined => {
    if (member === undefined) return undefined
    const { id } = member as Member
    return { ...(member as Member), permissions: permissionsOf.all(id).map(({ permission }) => String(permission)) }
  }

  return {
    add: ({ email, displayName, team, passwordHash, leftOn }: Omit<Member, 'id'>): number =>
      Number(insert.get(email, normaliseEmail(email), displayName, team, passwordHash, leftOn)?.id),
    setPermissions: (id: number, permissions: readonly string[]): void => {
      takeAll.run(id)
      for (const permission of permissions) give.run(id, permission)
    },
    /** Finds a member by email in any spelling that Countersign treats as equal. */
    byEmail: (email: string) => withPermissions(byEmailKey.get(normaliseEmail(email))),
    byId: (id: number) => withPermissions(byId.get(id)),
    /** Finds the members who hold one of these permissions. The index `holders` finds them. */
    holdersOf: (permissions: readonly string[], limit: number): readonly PermittedMember[] =>
      holders.all(JSON.stringify(permissions), limit).flatMap((member) => withPermissions(member) ?? []),
    setEmail: (id: number, email: string) => void setEmail.run(email, normaliseEmail(email), id),
    setPassword: (id: number, hash: string | null) => void setPassword.run(hash, id),
    setLeftOn: (id: number, date: string | null) => void setLeftOn.run(date, id),
    remove: (id: number) => void remove.run(id),
    close: () => database.close(),
  }
}

export type Members = ReturnType<typeof openMembers>

import { type Row, readEntries, textOf, writeUsers } from './write-users.ts'

/** Returns the email of a line of the export of password hashes, or of the export of users. */
const emailOf = ({ email, identifiers }: Row): unknown => {
  if (email !== undefined || !Array.isArray(identifiers)) return email
  return (identifiers as readonly Row[]).find(({ type }) => type === 'email')?.value
}

/** Some exports of Auth0 write the names of members with a capital letter: `Email`, `Name`. */
const uncapitalised = (row: Row): Row =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name.slice(0, 1).toLowerCase() + name.slice(1), value]))

// Reads an export on standard input, and writes NDJSON for `countersign user import`.
await writeUsers(readEntries(), (given) => {
  const row = uncapitalised(given)
  const email = emailOf(row)
  if (email === undefined || email === null) return 'without an email'
  if (row.blocked === true) return 'disabled'
  return {
    email: textOf(email, 'the email'),
    name: typeof row.name === 'string' ? row.name : null,
    // bcrypt. Only the export of password hashes has this member.
    passwordHash: row.passwordHash === undefined ? null : textOf(row.passwordHash, 'the password hash'),
  }
})

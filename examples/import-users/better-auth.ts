import { readEntries, Skipped, textOf, writeUsers } from './write-users.ts'

const base64 = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '')

/** better-auth gives scrypt the hexadecimal text of the salt, not its bytes. */
const toPhc = (password: string): string => {
  const [, salt, key] = /^([0-9a-f]+):((?:[0-9a-f]{2})+)$/.exec(password) ?? []
  if (salt === undefined || key === undefined) throw new Skipped('the password is not salt:key in hexadecimal')
  return `$scrypt$ln=14,r=16,p=1$${base64(Buffer.from(salt))}$${base64(Buffer.from(key, 'hex'))}`
}

// Reads the rows of the query in docs/operations/import-users.md on standard input, and writes NDJSON for
// `countersign user import`.
await writeUsers(readEntries(), ({ email, name, password }) => ({
  email: textOf(email, 'the email'),
  name: typeof name === 'string' ? name : null,
  // `null` for a user without a password.
  passwordHash: password === null ? null : toPhc(textOf(password, 'the password')),
}))

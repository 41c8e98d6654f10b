import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { UserLine } from '@countersign/core'

/** A line of the query in docs/operations/import-users.md. */
interface Row {
  readonly email: string
  readonly name: string | null
  /** `salt:key` in hexadecimal; `null` for a user without a password. */
  readonly password: string | null
}

const base64 = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '')

/** better-auth gives scrypt the hexadecimal text of the salt, not its bytes. */
const toPhc = (password: string): string => {
  const [salt = '', key = ''] = password.split(':')
  return `$scrypt$ln=14,r=16,p=1$${base64(Buffer.from(salt))}$${base64(Buffer.from(key, 'hex'))}`
}

async function* users(): AsyncGenerator<string> {
  for await (const text of createInterface(process.stdin)) {
    const { email, name, password } = JSON.parse(text) as Row
    const user: UserLine = { email, name, passwordHash: password === null ? null : toPhc(password) }
    yield `${JSON.stringify(user)}\n`
  }
}

// Reads the rows of the query on standard input, and writes NDJSON for `countersign user import`.
await pipeline(Readable.from(users()), process.stdout)

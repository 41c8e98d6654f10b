import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { UserLine } from '@countersign/core'

/** A line of the export of password hashes, or of the export of users. */
interface Row {
  readonly email?: string
  readonly identifiers?: readonly { readonly type: string; readonly value: string }[]
  /** bcrypt. Only the export of password hashes has this member. */
  readonly passwordHash?: string
  readonly name?: string
  readonly blocked?: boolean
}

async function* users(): AsyncGenerator<string> {
  for await (const text of createInterface(process.stdin)) {
    const { email, identifiers, passwordHash, name, blocked } = JSON.parse(text) as Row
    const address = email ?? identifiers?.find(({ type }) => type === 'email')?.value
    if (address === undefined || blocked === true) continue
    const user: UserLine = { email: address, name: name ?? null, passwordHash: passwordHash ?? null }
    yield `${JSON.stringify(user)}\n`
  }
}

// Reads an export on standard input, and writes NDJSON for `countersign user import`.
await pipeline(Readable.from(users()), process.stdout)

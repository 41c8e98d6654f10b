import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { UserLine } from '@countersign/core'

/** The file of `firebase auth:export users.json --format=json`. */
interface Export {
  readonly users: readonly {
    readonly email?: string
    readonly displayName?: string
    readonly passwordHash?: string
    readonly salt?: string
    readonly disabled?: boolean
  }[]
}

const [usersFile, configFile] = process.argv.slice(2)
if (usersFile === undefined || configFile === undefined) throw new Error('usage: node firebase.ts users.json hash-config.txt')
const config = await readFile(configFile, 'utf8')
const { users } = JSON.parse(await readFile(usersFile, 'utf8')) as Export

/** Returns a value of the password hash parameters, as the console shows them. */
const parameter = (name: string): string => {
  const value = new RegExp(`\\b${name}:\\s*([\\w+/=-]+)`).exec(config)?.[1]
  if (value === undefined) throw new Error(`${configFile} has no ${name}`)
  return toBase64(value)
}

/** Some exports are in the base64 alphabet for URLs. */
const toBase64 = (text: string): string => text.replaceAll('-', '+').replaceAll('_', '/')

const cost = `n=${parameter('mem_cost')},r=${parameter('rounds')},p=1`
const start = `$fbscrypt$v=1,${cost},ss=${parameter('base64_salt_separator')},sk=${parameter('base64_signer_key')}`

function* lines(): Generator<string> {
  for (const { email, displayName, passwordHash, salt, disabled } of users) {
    // A user with a phone number only has no email.
    if (email === undefined || disabled === true) continue
    const hasPassword = passwordHash !== undefined && salt !== undefined
    const hash = hasPassword ? `${start}$${toBase64(salt)}$${toBase64(passwordHash)}` : null
    const user: UserLine = { email, name: displayName ?? null, passwordHash: hash }
    yield `${JSON.stringify(user)}\n`
  }
}

// Writes NDJSON for `countersign user import`.
await pipeline(Readable.from(lines()), process.stdout)

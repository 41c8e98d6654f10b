import { readFile } from 'node:fs/promises'
import { entriesOf, readJson, Skipped, textOf, writeUsers } from './write-users.ts'

const [usersFile, configFile] = process.argv.slice(2)
if (usersFile === undefined || configFile === undefined) throw new Error('usage: node firebase.ts users.json hash-config.txt')
const config = await readFile(configFile, 'utf8')

/** Some exports are in the base64 alphabet for URLs. */
const toBase64 = (text: string): string => text.replaceAll('-', '+').replaceAll('_', '/')

/** Returns a value of the password hash parameters, as the console shows them. */
const parameter = (name: string): string => {
  const value = new RegExp(`\\b${name}:\\s*([\\w+/=-]+)`).exec(config)?.[1]
  if (value === undefined) throw new Error(`${configFile} has no ${name}`)
  return toBase64(value)
}

const cost = `n=${parameter('mem_cost')},r=${parameter('rounds')},p=1`
const start = `$fbscrypt$v=1,${cost},ss=${parameter('base64_salt_separator')},sk=${parameter('base64_signer_key')}`

/** The base64 of REDACTED. Firebase writes it in place of a hash for an account without the right to read hashes. */
const REDACTED = 'UkVEQUNURUQ='

const toPhc = (passwordHash: unknown, salt: unknown): string | null => {
  if (passwordHash === undefined) return null
  if (passwordHash === REDACTED) throw new Skipped('the password hash is redacted; export with an account that may read hashes')
  return `${start}$${toBase64(textOf(salt, 'the salt of the password hash'))}$${toBase64(textOf(passwordHash, 'the password hash'))}`
}

// Reads the file of `firebase auth:export users.json --format=json`, and writes NDJSON for `countersign user import`.
await writeUsers(entriesOf(await readJson(usersFile)), ({ email, displayName, passwordHash, salt, disabled }) => {
  // A user with a phone number only has no email.
  if (email === undefined || email === null) return 'without an email'
  if (disabled === true) return 'disabled'
  return {
    email: textOf(email, 'the email'),
    name: typeof displayName === 'string' ? displayName : null,
    passwordHash: toPhc(passwordHash, salt),
  }
})

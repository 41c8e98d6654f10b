import { parse, type Row, readJson, Skipped, textOf, writeUsers } from './write-users.ts'

const unpadded = (text: string): string => text.replaceAll('=', '')

/** Returns the object of a value. @throws Skipped naming what is missing */
const objectOf = (value: unknown, what: string): Row => {
  if (typeof value === 'object' && value !== null) return value as Row
  throw new Skipped(`${what} is missing`)
}

/** Returns the object in a text of JSON. */
const inner = (credential: Row, name: 'secretData' | 'credentialData'): Row =>
  objectOf(parse(textOf(credential[name], `${name} of the password`)), `${name} of the password`)

/** Keycloak writes each additional parameter as a list of one text. */
const additional = (more: Row, name: string): string =>
  textOf(Array.isArray(more[name]) ? more[name][0] : undefined, `the parameter ${name} of argon2`)

const toPhc = (credential: Row): string => {
  const secret = inner(credential, 'secretData')
  const value = textOf(secret.value, 'the value of the password')
  // An extension of Keycloak stores whole bcrypt hashes.
  if (value.startsWith('$')) return value
  const { algorithm, hashIterations, additionalParameters } = inner(credential, 'credentialData')
  if (typeof hashIterations !== 'number') throw new Skipped('the number of iterations is missing')
  const digest = `${unpadded(textOf(secret.salt, 'the salt of the password'))}$${unpadded(value)}`
  if (algorithm === 'pbkdf2' || algorithm === 'pbkdf2-sha256' || algorithm === 'pbkdf2-sha512')
    return `$${algorithm}$i=${hashIterations}$${digest}`
  if (algorithm !== 'argon2') throw new Skipped('the algorithm of the password is not one of Keycloak itself')
  const more = objectOf(additionalParameters, 'additionalParameters of the password')
  const cost = `m=${additional(more, 'memory')},t=${hashIterations},p=${additional(more, 'parallelism')}`
  // Keycloak writes the versions of argon2 as 1.0 and 1.3.
  const version = additional(more, 'version') === '1.0' ? 16 : 19
  return `$argon2${additional(more, 'type')}$v=${version}$${cost}$${digest}`
}

async function* entries(files: readonly string[]): AsyncGenerator<unknown> {
  for (const file of files) {
    const value = await readJson(file)
    const users = Array.isArray(value) ? value : objectOf(value, file).users
    // A realm may be exported without its users.
    if (Array.isArray(users)) yield* users
  }
}

// Reads files of `kc.sh export --users different_files`, or of a whole realm, and writes NDJSON for `countersign user import`.
await writeUsers(entries(process.argv.slice(2)), ({ email, firstName, lastName, enabled, credentials }) => {
  // A service account has no email.
  if (email === undefined || email === null) return 'without an email'
  if (enabled === false) return 'disabled'
  const password = ((credentials ?? []) as readonly Row[]).find(({ type }) => type === 'password')
  return {
    email: textOf(email, 'the email'),
    name: [firstName, lastName]
      .filter((name) => typeof name === 'string')
      .join(' ')
      .trim(),
    passwordHash: password === undefined ? null : toPhc(password),
  }
})

import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { UserLine } from '@countersign/core'

interface Credential {
  readonly type: string
  /** JSON of salt and value, in base64. */
  readonly secretData?: string
  /** JSON of the algorithm and its parameters. */
  readonly credentialData?: string
}

/** A file of `kc.sh export --users different_files`, or of a whole realm. */
interface Export {
  readonly users?: readonly {
    readonly email?: string
    readonly firstName?: string
    readonly lastName?: string
    readonly enabled?: boolean
    readonly credentials?: readonly Credential[]
  }[]
}

interface Secret {
  readonly value: string
  readonly salt: string
}

interface Algorithm {
  readonly algorithm: string
  readonly hashIterations: number
  readonly additionalParameters?: {
    readonly type?: readonly string[]
    readonly version?: readonly string[]
    readonly memory?: readonly string[]
    readonly parallelism?: readonly string[]
  }
}

const unpadded = (text: string): string => text.replaceAll('=', '')

const toPhc = ({ secretData = '{}', credentialData = '{}' }: Credential): string => {
  const { value, salt } = JSON.parse(secretData) as Secret
  const { algorithm, hashIterations, additionalParameters: more = {} } = JSON.parse(credentialData) as Algorithm
  // An extension of Keycloak stores whole bcrypt hashes.
  if (value.startsWith('$')) return value
  if (algorithm !== 'argon2') return `$${algorithm}$i=${hashIterations}$${unpadded(salt)}$${unpadded(value)}`
  const cost = `m=${more.memory?.[0]},t=${hashIterations},p=${more.parallelism?.[0]}`
  // Keycloak writes the versions of argon2 as 1.0 and 1.3.
  const version = more.version?.[0] === '1.0' ? 16 : 19
  return `$argon2${more.type?.[0]}$v=${version}$${cost}$${unpadded(salt)}$${unpadded(value)}`
}

async function* lines(files: readonly string[]): AsyncGenerator<string> {
  for (const file of files) {
    const { users = [] } = JSON.parse(await readFile(file, 'utf8')) as Export
    for (const { email, firstName = '', lastName = '', enabled, credentials = [] } of users) {
      // A service account has no email.
      if (email === undefined || enabled === false) continue
      const password = credentials.find(({ type }) => type === 'password')
      const passwordHash = password === undefined ? null : toPhc(password)
      const user: UserLine = { email, name: `${firstName} ${lastName}`.trim(), passwordHash }
      yield `${JSON.stringify(user)}\n`
    }
  }
}

// Writes NDJSON for `countersign user import`.
await pipeline(Readable.from(lines(process.argv.slice(2))), process.stdout)

import { createECDH } from 'node:crypto'
import type { RateLimits } from '@countersign/core'
import { StartupError } from '../startup-error.ts'
import { type Config, nodeEnvironments, type PlainValues, type SmtpConfig } from './config.ts'
import { Refusal } from './forms.ts'
import type { PushConfig, PushProviderName } from './push-config.ts'
import { namedSettings, type Setting, type SettingValues } from './settings.ts'
import { misspelled, unknownVariables } from './unknown-variables.ts'

/** Variables and their values, such as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Names a set variable whose name differs from the missing one only by marks and blanks, such as a byte order mark. */
const nearMiss = (env: Environment, missing: string): string => {
  const found = misspelled(env).find(({ nearest }) => nearest === missing)
  return found === undefined ? '' : `; ${found.name} is set, whose name has marks or blanks too many`
}

/** Reads `NODE_ENV`. Only the exact value `production` is production: `production` and a carriage return is not. */
export const readNodeEnv = ({ NODE_ENV: given }: Environment): Pick<Config, 'production' | 'nodeEnv'> => ({
  production: given === 'production',
  nodeEnv: given ? (nodeEnvironments.find((known) => known === given) ?? 'unknown') : 'unset',
})

const pushNeeds = (provider: PushProviderName): readonly string[] =>
  namedSettings.flatMap(([name, row]) => (name.startsWith(`push.${provider}.`) && row.default === undefined ? row.variable : []))

/** Returns a line for each variable that another setting requires and that is missing. */
const missing = (env: Environment, providers: SettingValues['push.providers'] | Refusal): readonly string[] => {
  const needed = (names: readonly string[], why: string) =>
    names.filter((name) => env[name] === undefined).map((name) => `${name}: must be set ${why}${nearMiss(env, name)}`)
  return [
    ...(env.NODE_ENV === 'production' ? needed(['COUNTERSIGN_DATABASE_URL'], 'in production') : []),
    ...(env.NODE_ENV === 'production'
      ? needed(['COUNTERSIGN_JWT_KEYS', 'COUNTERSIGN_ENCRYPTION_KEYS'], 'in production; `countersign keys generate` makes one')
      : []),
    ...(env.NODE_ENV === 'production' && env.COUNTERSIGN_RECEIPT_KEYS !== undefined
      ? needed(['COUNTERSIGN_RECEIPT_ISSUER'], 'in production where COUNTERSIGN_RECEIPT_KEYS is set')
      : []),
    ...(env.COUNTERSIGN_SMTP_URL === undefined ? [] : needed(['COUNTERSIGN_SMTP_FROM'], 'where COUNTERSIGN_SMTP_URL is set')),
    ...(env.COUNTERSIGN_SMTP_FROM === undefined ? [] : needed(['COUNTERSIGN_SMTP_URL'], 'where COUNTERSIGN_SMTP_FROM is set')),
    ...(providers instanceof Refusal ? [] : providers).flatMap((name) =>
      needed(pushNeeds(name), `where COUNTERSIGN_PUSH has ${name}`),
    ),
  ]
}

const EVERY_ADDRESS = ['0.0.0.0', '::']

/** Returns a line if the service and its metrics would listen on the same address. */
const sharedPort = (values: SettingValues): readonly string[] => {
  const { host, port, 'metrics.host': metricsHost, 'metrics.port': metricsPort } = values
  const isShared = host === metricsHost || [host, metricsHost].some((one) => EVERY_ADDRESS.includes(one))
  return metricsPort === port && port !== 0 && isShared
    ? ['COUNTERSIGN_METRICS_PORT: must be another port than COUNTERSIGN_PORT']
    : []
}

/** Returns the value of a setting, or why its text is refused. */
const readSetting = ({ variable, form, ...row }: Setting<unknown>, env: Environment): unknown => {
  const text = env[variable]
  if (text === undefined) return env.NODE_ENV === 'production' && 'inProduction' in row ? row.inProduction : row.default
  return form.read(text) ?? new Refusal(`must be ${form.takes}`)
}

/** Returns the settings of a group, without the name of the group. */
const groupOf = (values: SettingValues, group: string): object =>
  Object.freeze(
    Object.fromEntries(
      Object.entries(values)
        .filter(([name]) => name.startsWith(`${group}.`))
        .map(([name, value]) => [name.slice(group.length + 1), value]),
    ),
  )

/** Returns the settings of a provider, all of which `missing` has required. */
const pushOf = (provider: PushProviderName, values: SettingValues, { production }: Pick<Config, 'production'>): PushConfig =>
  Object.freeze({
    provider,
    ...groupOf(values, `push.${provider}`),
    ...(provider === 'webpush' && { loopback: !production }),
  }) as PushConfig

/** Returns a line if the public key of Web Push is of another private key. Browsers would refuse every message. */
const unpairedVapid = (values: SettingValues): readonly string[] => {
  const { 'push.webpush.publicKey': publicKey, 'push.webpush.privateKey': privateKey } = values
  if (publicKey === undefined || privateKey === undefined) return []
  const pair = createECDH('prime256v1')
  try {
    pair.setPrivateKey(privateKey, 'base64url')
    if (pair.getPublicKey('base64url') === publicKey) return []
  } catch {
    // The number is not a private key of the curve.
  }
  return ['COUNTERSIGN_VAPID_PUBLIC_KEY: must be the public key of COUNTERSIGN_VAPID_PRIVATE_KEY']
}

/** Returns a line if the approver's people must approve with passkeys, and no passkey approves: nobody could approve. */
const unusableVerification = ({ approverVerification, passkeyApprovals }: SettingValues): readonly string[] =>
  approverVerification === 'always' && !passkeyApprovals
    ? ['COUNTERSIGN_APPROVER_VERIFICATION: always needs COUNTERSIGN_PASSKEY_APPROVALS=on']
    : []

const rateLimitsOf = ({ 'rateLimits.on': areOn, ...values }: SettingValues): Config['rateLimits'] =>
  areOn ? (groupOf(values as SettingValues, 'rateLimits') as RateLimits) : 'off'

/**
 * Reads and checks the environment. An empty variable counts as unset. @throws StartupError with a line for each problem, which
 * names the variable and never the given value: some values are secret
 */
export const readConfig = (env: Environment = process.env): Config => {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const read = namedSettings.map(([name, row]) => [name, row.variable, Object.freeze(readSetting(row, set))] as const)
  const refused = read.flatMap(([, variable, value]) => (value instanceof Refusal ? [`${variable}: ${value.message}`] : []))
  const values = Object.fromEntries(read.map(([name, , value]) => [name, value])) as unknown as SettingValues
  const problems = [
    ...refused,
    ...missing(set, values['push.providers']),
    ...(refused.length === 0 ? [...sharedPort(values), ...unpairedVapid(values), ...unusableVerification(values)] : []),
  ]
  if (problems.length > 0) throw new StartupError(problems)

  const plain = Object.fromEntries(Object.entries(values).filter(([name]) => !name.includes('.'))) as unknown as PlainValues
  return Object.freeze({
    ...plain,
    ...readNodeEnv(set),
    ignoresPort: set.PORT !== undefined && set.COUNTERSIGN_PORT === undefined,
    relyingParty: groupOf(values, 'relyingParty') as Config['relyingParty'],
    rateLimits: rateLimitsOf(values),
    push: Object.freeze(values['push.providers'].map((name) => pushOf(name, values, readNodeEnv(set)))),
    approver: groupOf(values, 'approver') as Config['approver'],
    smtp: values['smtp.url'] === undefined ? undefined : (groupOf(values, 'smtp') as SmtpConfig),
    playground: set.NODE_ENV !== 'production',
    metrics: values['metrics.port'] === undefined ? undefined : (groupOf(values, 'metrics') as Config['metrics']),
    unknownVariables: Object.freeze(unknownVariables(set)),
  })
}

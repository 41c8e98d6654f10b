import type { RateLimits } from '@countersign/core'
import type { MetricsAddress } from '../metrics/serve-metrics.ts'
import type { PushConfig } from './push-config.ts'
import type { SettingValues } from './settings.ts'
import type { UnknownVariable } from './unknown-variables.ts'

/** The values of `NODE_ENV` that say how a server is meant to run. Any other value is most likely mistyped. */
export const nodeEnvironments = ['production', 'development', 'test'] as const

/** The values of settings that belong to no group. */
export type PlainValues = {
  readonly [Name in keyof SettingValues as Name extends `${string}.${string}` ? never : Name]: SettingValues[Name]
}

/** The values of the settings of a group, without the name of the group. */
type GroupValues<G extends string> = {
  readonly [Name in keyof SettingValues as Name extends `${G}.${infer Member}` ? Member : never]: SettingValues[Name]
}

/** The mail server and the sender of mails with codes. */
export type SmtpConfig = { readonly [Name in 'url' | 'from']: NonNullable<GroupValues<'smtp'>[Name]> } & GroupValues<'smtp'>

/**
 * The checked configuration, frozen. `docs/operations.md` says what each setting means. Without keys of a ring, those in
 * `.countersign/` are used; in production, both key rings are always set.
 */
export interface Config extends PlainValues {
  readonly production: boolean
  /** The value of `NODE_ENV`; `unknown` for any value but these. */
  readonly nodeEnv: (typeof nodeEnvironments)[number] | 'unset' | 'unknown'
  /** True if the variable `PORT` of a platform is set while `COUNTERSIGN_PORT`, which is read instead, is not. */
  readonly ignoresPort: boolean
  /** Without `origins`: `http://localhost` with the port of the running server. In production, the origins are always set. */
  readonly relyingParty: GroupValues<'relyingParty'>
  /** The limit of each category, or `off`. */
  readonly rateLimits: RateLimits | 'off'
  /** The ways in which devices are notified; empty if devices must ask. */
  readonly push: readonly PushConfig[]
  readonly approver: GroupValues<'approver'>
  /** How codes are mailed; `undefined` if no mail goes out. */
  readonly smtp: SmtpConfig | undefined
  /** True if `/playground` is served: always, except in production. */
  readonly playground: boolean
  /** The address at which metrics are served; `undefined` if they are off. */
  readonly metrics: MetricsAddress | undefined
  /** The set variables that no code reads. `serve` logs a warning for each. */
  readonly unknownVariables: readonly UnknownVariable[]
}

/** Returns whether a server serves both parts that the playground and the approver call. */
export const hasBothParts = ({ parts }: Pick<Config, 'parts'>): boolean =>
  parts === undefined || (parts.includes('identity') && parts.includes('approvals'))

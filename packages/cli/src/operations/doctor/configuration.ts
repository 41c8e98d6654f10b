import { allParts, type Part, type Retention, unusableHashFormats } from '@countersign/core'
import {
  type Config,
  type ConfigProblem,
  checkRedis,
  failureReason,
  isLoopbackHost,
  keptLonger,
  StartupError,
  shownRateLimit,
  shownUrl,
} from '@countersign/server'
import { unreadVariable } from '../../shared/open-database.ts'
import { type Finding, failed, notConfigured, ok, warning } from './check.ts'

/** Returns valid settings that an operator is unlikely to want. */
export const doubtfulSettings = ({ production, relyingParty, unknownVariables }: Config): readonly ConfigProblem[] => {
  const localhost = {
    variable: 'COUNTERSIGN_RP_ID',
    check: 'configuration',
    line: 'COUNTERSIGN_RP_ID: is localhost in production, where no passkey works elsewhere; it takes the domain of your pages',
  }
  const unknown = unknownVariables.map((one) => ({ variable: one.name, check: 'configuration', line: unreadVariable(one) }))
  return [...(production && relyingParty.id === 'localhost' ? [localhost] : []), ...unknown]
}

/** Checks that a configured Redis server counts rate limits. The check counts once, on a key that expires. */
export const examineCache = async (url: string | undefined): Promise<Finding> => {
  if (url === undefined) return notConfigured('rate limits are counted in the database')
  try {
    await checkRedis(url)
    return ok(`rate limits are counted in ${shownUrl(url)}`)
  } catch (error) {
    if (error instanceof StartupError) return failed(error.message)
    return failed(`${shownUrl(url)} does not count rate limits, and the database does meanwhile: ${failureReason(error)}`)
  }
}

export const examineGates = ({ gates }: Pick<Config, 'gates'>): Finding => {
  const pairs = Object.entries(gates).map(([gate, required]) => `${gate} needs a ${required?.actionType}`)
  return pairs.length === 0 ? notConfigured('no operation needs an approval') : ok(pairs.join(', '))
}

/** Names the address of the metrics, and says where others can read them. */
export const examineMetrics = ({ metrics }: Pick<Config, 'metrics'>): Finding => {
  if (metrics === undefined) return notConfigured('no metrics are served')
  const { host, port } = metrics
  const place = `${host.includes(':') ? `[${host}]` : host}:${port === 0 ? 'any free port' : port}`
  return ok(isLoopbackHost(host) ? place : `${place}; other machines can read them without a token`)
}

/** Warns that pages without extended responses cannot ask for approvals, because plain responses lack the match number. */
export const examineNumberMatching = ({ numberMatching }: Pick<Config, 'numberMatching'>): Finding | undefined =>
  numberMatching
    ? warning('every approval needs the number: pages that do not send Countersign-Extended: 1 cannot ask for one')
    : undefined

/** Names the pages on which a passkey approves. `withoutPasskey` people have a phone of the approver and no trusted passkey. */
export const examinePasskeyApprovals = (
  config: Pick<Config, 'passkeyApprovals' | 'approverOrigins' | 'approverVerification'>,
  withoutPasskey = 0,
): Finding | undefined => {
  const { passkeyApprovals, approverOrigins, approverVerification } = config
  if (!passkeyApprovals) return undefined
  if (approverVerification === 'always' && withoutPasskey > 0) {
    return warning(
      `COUNTERSIGN_APPROVER_VERIFICATION=always: ${withoutPasskey} of the people with a phone of the approver have no trusted passkey, and cannot approve`,
    )
  }
  return approverOrigins.length === 0
    ? warning(
        'COUNTERSIGN_APPROVER_ORIGINS is not set: every page of COUNTERSIGN_ORIGINS can ask a passkey to approve what the page shows; name the pages of the approver',
      )
    : ok(`on pages of ${approverOrigins.join(', ')}`)
}

/** Names the parts that a server here serves. The other parts of the database need another server. */
export const examineParts = (configured: Config['parts'], present: readonly Part[] = []): Finding => {
  const all = present.length === 0 ? allParts : present
  const parts = configured ?? all
  const missing = all.filter((part) => !parts.includes(part))
  const served = allParts.filter((part) => parts.includes(part)).join(', ')
  return ok(missing.length === 0 ? served : `${served}; another server on this database must serve ${missing.join(', ')}`)
}

export const examinePasswordHashes = async (): Promise<Finding> => {
  const unusable = await unusableHashFormats()
  if (unusable.length === 0) return ok('this machine computes every format')
  return failed(
    `this machine cannot compute ${unusable.join(', ')}: users with such hashes cannot log in here; install the packages of @node-rs for this platform`,
  )
}

/** Shows the limit of each category in the form of its setting. */
export const examineRateLimits = ({ rateLimits, production }: Config): Finding => {
  const off = 'off: nobody is limited, and failed logins cause no delay'
  if (rateLimits === 'off') return production ? warning(off) : notConfigured(off)
  const limits = Object.entries(rateLimits).map(([category, limit]) => `${category} ${shownRateLimit(limit)}`)
  return ok(`${limits.join(', ')} (burst/per minute/minutes of the window)`)
}

/** Says whether `NODE_ENV` names the environment. Without production, the playground and local secrets are on. */
export const examineEnvironment = ({ nodeEnv }: Pick<Config, 'nodeEnv'>): Finding => {
  if (nodeEnv === 'unset')
    return warning('NODE_ENV is not set, so this counts as development; set production where people use it')
  if (nodeEnv === 'unknown')
    return failed('NODE_ENV has an unknown value, so this counts as development; it takes production, development or test')
  return ok(nodeEnv)
}

/** Warns of origins on which browsers offer no passkeys; `undefined` without such an origin. */
export const examineOrigins = (config: Pick<Config, 'relyingParty' | 'corsOrigins' | 'approverOrigins'>) => {
  const { corsOrigins, approverOrigins } = config
  const isHere = (host: string): boolean => host === 'localhost' || isLoopbackHost(host)
  const plain = [...new Set([...(config.relyingParty.origins ?? []), ...corsOrigins, ...approverOrigins])].filter(
    (origin) => origin.startsWith('http:') && !isHere(new URL(origin).hostname),
  )
  if (plain.length === 0) return undefined
  return warning(`without TLS, others can read tokens and browsers offer no passkeys: ${plain.join(', ')}`)
}

const describeTime = (milliseconds: number): string => {
  const seconds = milliseconds / 1000
  if (seconds % 3600 === 0) return `${seconds / 3600} h`
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`
}

export const examineEnrolment = ({ enrolment, freshSessionAge, coolingOff }: Config): Finding => {
  const fresh = `at most ${describeTime(freshSessionAge)} after a login`
  const older = `after ${describeTime(coolingOff)} if the user has no trusted device`
  switch (enrolment) {
    case 'open':
      return ok('open: every new device is trusted immediately, also one that a stolen session registers')
    case 'fresh':
      return ok(`fresh: a new device is trusted ${fresh}; otherwise ${older}, or when a trusted device vouches for it`)
    case 'vouched':
      return ok(
        `vouched: the first device is trusted ${fresh}, or ${older}; every other device when a trusted device vouches for it`,
      )
  }
}

const DAY = 86_400_000

const describe = (retention: Retention): string => (retention === 'forever' ? 'for good' : `${retention / DAY} days`)

export const examineRetention = (config: Config): Finding => {
  const settings = [
    `approvals ${describe(config.approvalRetention)}`,
    `refusals ${describe(config.refusalRetention)}`,
    `service tokens ${describe(config.serviceTokenRetention)}`,
    `removed projects ${describe(config.removedProjectRetention)}`,
  ].join(', ')
  const longer = keptLonger(config)
  return longer === undefined ? ok(settings) : warning(`${settings}; ${longer}`)
}

import type { Checked } from '@countersign/contract'
import { hours, minutes } from '../../shared/clock.ts'
import { NoDelivery } from '../authentication/errors.ts'
import type { IdentityDeps } from '../deps.ts'
import { type CodeDelivery, type DeliverCode, deliverOrVoid } from '../one-time-codes/code-delivery.ts'
import { issueCode } from '../one-time-codes/issue-code.ts'
import type { RateLimit } from '../rate-limits/store.ts'
import { mayLogIn, type User } from '../records/user.ts'
import { normaliseEmail } from '../user-model/email.ts'

/** One mail in two minutes, and after the fifth in a day one an hour. Whoever asks for somebody else's mail cannot stop it. */
const mailLimits: readonly RateLimit[] = [
  { burst: 1, refillMs: minutes(2), windowMax: 1, windowMs: minutes(2) },
  { burst: 5, refillMs: hours(1), windowMax: 6, windowMs: hours(1) },
]

/**
 * Has a code delivered to the email of an account, with which the user sets a new password. The answer and the work before it are
 * the same for every email, also past its limit. Then a user who can log in here and has a password gets a code, unless three
 * live; an invited user without a password is invited again. Other users get nothing.
 * @throws NoDelivery if the host has no `deliverCode`, Unavailable
 * @example await countersign.password.forgot({ email: 'ada@example.com' })
 */
export async function forgotPassword(deps: IdentityDeps, input: Checked<'password.forgot'>): Promise<void> {
  const { deliverCode } = deps
  if (deliverCode === undefined) throw new NoDelivery()
  const email = normaliseEmail(input.email)
  if (!(await takeMail(deps, email))) return
  const languages = preferredLanguages(input.languages)
  deps.background.run(() => sendCode(deps, deliverCode, email, languages))
}

/** Takes a mail from the limits of an email, whether or not a user has the email. */
const takeMail = async (deps: IdentityDeps, email: string): Promise<boolean> => {
  const { rateLimits, loginSourceOf, clock, options } = deps
  if (options.rateLimits === 'off') return true
  const { account } = await loginSourceOf(email, undefined)
  for (const limit of mailLimits) {
    const { allowed } = await rateLimits.take(`forgot:${limit.burst}:${account}`, limit, clock.now())
    if (!allowed) return false
  }
  return true
}

/** A range of RFC 4647 that names a language. */
const LANGUAGE = /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/
const MOST_LANGUAGES = 10

/** Returns the language tags of a header `Accept-Language`, as browsers write it: the best first. */
const preferredLanguages = (header = ''): readonly string[] =>
  header
    .split(',')
    .map((range) => range.split(';')[0]?.trim() ?? '')
    .filter((tag) => LANGUAGE.test(tag))
    .slice(0, MOST_LANGUAGES)

const sendCode = async (deps: IdentityDeps, deliverCode: DeliverCode, email: string, languages: readonly string[]) => {
  try {
    const user = await reachableUser(deps, email)
    if (user === undefined) return
    const kind = await kindFor(deps, user)
    if (kind === undefined) return
    const code = await issueCode(deps, user, 'forgot')
    if (code === undefined) return
    const delivery = { ...code, userId: user.id, email: user.email, kind, languages }
    await deliverOrVoid(deps, deliverCode, delivery, 'forgot')
  } catch (error) {
    deps.logger.warn('code_not_delivered', { reason: reasonOf(error) })
  }
}

/** Returns the code of an error, such as `ECONNREFUSED`, or its name. A message may contain the address or the code. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'unknown'
  return 'code' in error && typeof error.code === 'string' && /^[A-Z0-9_]{2,64}$/.test(error.code) ? error.code : error.name
}

/** Returns the user of an email who may log in, and whose password is kept here. */
const reachableUser = async ({ users }: IdentityDeps, email: string): Promise<User | undefined> => {
  // The host's directory is not asked: it keeps the passwords.
  if (users.areKeptByHost) return undefined
  const candidate = await users.byEmail(email)
  if (candidate?.id === undefined || candidate.barred !== undefined) return undefined
  const user = await users.byId(candidate.id)
  return user?.directoryId === null && mayLogIn(user) ? user : undefined
}

const kindFor = async ({ storage, clock }: IdentityDeps, user: User): Promise<CodeDelivery['kind'] | undefined> => {
  if (user.passwordHash !== null) return 'forgot'
  const codes = await storage.oneTimeCodes.allOfUser(user.id)
  return codes.some(({ kind, expiresAt }) => kind === 'invitation' && expiresAt > clock.now()) ? 'invitation' : undefined
}

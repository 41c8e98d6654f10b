import { describe, expect, it } from 'vitest'
import { defaultOptions } from '../../options.ts'
import { days, hours, minutes } from '../../shared/clock.ts'
import { clockStart } from '../../testing/fake-clock.ts'
import { type Enrolment, enrolments } from '../options.ts'
import type { RegisteringSession } from '../records/trust-store.ts'
import { initialTrust } from './initial-trust.ts'

const now = clockStart
const coolingOff = now + hours(12)
const untilVouchedFor: null = null

const passwordSession: RegisteringSession = {
  authMethod: 'password',
  userVerified: false,
  createdAt: now - minutes(10),
  trustedAt: null,
  host: null,
  tenants: null,
}
const passkeySession: RegisteringSession = { ...passwordSession, authMethod: 'webauthn', userVerified: true, trustedAt: now - 1 }
const deviceSession: RegisteringSession = { ...passwordSession, authMethod: 'biometric', trustedAt: now - 1 }

/** A session that the host opened in its own process, for a user whom it verified. */
const hostSession: RegisteringSession = {
  ...passwordSession,
  authMethod: 'host',
  userVerified: true,
  createdAt: now,
  host: { method: 'oidc', signedInAt: now - minutes(10), openedBy: null },
}
const signedInAt = (instant: number) => ({ method: 'oidc', signedInAt: instant, openedBy: null })

const freshSessions: readonly [string, RegisteringSession][] = [
  ['opened by password', passwordSession],
  ['opened by password before the clock was set back by 10 minutes', { ...passwordSession, createdAt: now + minutes(10) }],
  ['opened by a trusted passkey with user verification', passkeySession],
  ['opened by a trusted device', deviceSession],
  ['opened by the host, which verified the user', hostSession],
  ['opened by a device whose cooling-off period has just ended', { ...deviceSession, trustedAt: now }],
]

const olderSessions: readonly [string, RegisteringSession][] = [
  ['opened by password more than 10 minutes ago', { ...passwordSession, createdAt: now - minutes(10) - 1 }],
  ['opened by a passkey more than 10 minutes ago', { ...passkeySession, createdAt: now - minutes(10) - 1 }],
  ['opened by a device more than 10 minutes ago', { ...deviceSession, createdAt: now - minutes(10) - 1 }],
  [
    'opened by password before the clock was set back by more than 10 minutes',
    { ...passwordSession, createdAt: now + minutes(10) + 1 },
  ],
  [
    'opened by the host, which signed the user in more than 10 minutes ago',
    { ...hostSession, host: signedInAt(now - minutes(10) - 1) },
  ],
  ['opened by the host, which did not verify the user', { ...hostSession, userVerified: false }],
  [
    'opened by a service, which says that it verified the user',
    { ...hostSession, host: { ...signedInAt(now), openedBy: 'shop' } },
  ],
  ['opened by a passkey without user verification', { ...passkeySession, userVerified: false }],
  ['opened by a passkey on probation', { ...passkeySession, trustedAt: null }],
  ['opened by a passkey in its cooling-off period', { ...passkeySession, trustedAt: now + 1 }],
  ['opened by a device on probation', { ...deviceSession, trustedAt: null }],
  ['opened by a device in its cooling-off period', { ...deviceSession, trustedAt: now + 1 }],
]

/** A user without a passkey who logs in by password. */
const others = { hasTrustedPasskey: false, hasPassword: true, mailboxMark: null }

interface Row {
  readonly sessions: readonly [string, RegisteringSession][]
  readonly hasTrustedDevice: boolean
  readonly expected: Readonly<Record<Enrolment, number | null>>
}

/** The table of the documentation, row by row (docs/enrolment.md). */
const table: Readonly<Record<string, Row>> = {
  'a fresh session, and the user has no trusted device': {
    sessions: freshSessions,
    hasTrustedDevice: false,
    expected: { open: now, fresh: now, vouched: now },
  },
  'a fresh session, and the user has a trusted device': {
    sessions: freshSessions,
    hasTrustedDevice: true,
    expected: { open: now, fresh: now, vouched: untilVouchedFor },
  },
  'an older session, and the user has no trusted device': {
    sessions: olderSessions,
    hasTrustedDevice: false,
    expected: { open: now, fresh: coolingOff, vouched: coolingOff },
  },
  'an older session, and the user has a trusted device': {
    sessions: olderSessions,
    hasTrustedDevice: true,
    expected: { open: now, fresh: untilVouchedFor, vouched: untilVouchedFor },
  },
}

describe('the initial trust of a device', () => {
  for (const [name, { sessions, hasTrustedDevice, expected }] of Object.entries(table)) {
    describe(`in ${name}`, () => {
      for (const enrolment of enrolments) {
        it.each(sessions)(`under \`${enrolment}\`, in a session %s`, (_, session) => {
          const options = { ...defaultOptions, enrolment }
          const trustedAt = initialTrust(options, { session, hasTrustedDevice, hasCoolingOff: false, ...others }, now)
          expect(trustedAt).toBe(expected[enrolment])
        })
      }
    })
  }

  it.each(olderSessions)(
    'begins only with an enrolment code or by an admin if the host requires that, in a session %s',
    (_, session) => {
      const facts = { session, hasTrustedDevice: false, hasCoolingOff: false, ...others }
      const strict = { ...defaultOptions, firstDeviceOfOlderSession: 'code_or_admin' } as const
      expect(initialTrust({ ...strict, enrolment: 'vouched' }, facts, now)).toBeNull()
      expect(initialTrust({ ...strict, enrolment: 'fresh' }, facts, now)).toBe(coolingOff)
    },
  )

  it.each(olderSessions)(
    'does not begin by itself if another device is in its cooling-off period, in a session %s',
    (_, session) => {
      const facts = { session, hasTrustedDevice: false, hasCoolingOff: true, ...others }
      for (const enrolment of ['fresh', 'vouched'] as const) {
        expect(initialTrust({ ...defaultOptions, enrolment }, facts, now)).toBeNull()
      }
    },
  )

  it('begins in a fresh session even if another device is in its cooling-off period', () => {
    const facts = { session: passwordSession, hasTrustedDevice: false, hasCoolingOff: true, ...others }
    for (const enrolment of enrolments) expect(initialTrust({ ...defaultOptions, enrolment }, facts, now)).toBe(now)
  })

  describe('in a session that a service has just opened', () => {
    const session = { ...hostSession, userVerified: false, host: { ...signedInAt(now), openedBy: 'shop' } }
    const nothing = {
      hasTrustedDevice: false,
      hasTrustedPasskey: false,
      hasPassword: false,
      hasCoolingOff: false,
      mailboxMark: null,
    }
    const trustOf = (facts: object, options: object = {}) =>
      initialTrust({ ...defaultOptions, ...options }, { session, ...nothing, ...facts }, now)

    it('begins now if the user has nothing here to log in with', () => {
      for (const enrolment of enrolments) expect(trustOf({}, { enrolment })).toBe(now)
    })

    it.each([
      ['a password', { hasPassword: true }, coolingOff],
      ['a trusted passkey', { hasTrustedPasskey: true }, coolingOff],
      ['a trusted device', { hasTrustedDevice: true }, untilVouchedFor],
      ['another device in its cooling-off period and a password', { hasCoolingOff: true, hasPassword: true }, untilVouchedFor],
    ])('does not begin now if the user has %s', (_, facts, expected) => {
      for (const enrolment of ['fresh', 'vouched'] as const) expect(trustOf(facts, { enrolment })).toBe(expected)
    })

    it('does not begin now if the sign-in is 10 minutes old', () => {
      const older = { ...session, host: { ...session.host, signedInAt: now - minutes(10) - 1 } }
      expect(trustOf({ session: older })).toBe(coolingOff)
    })
  })

  describe('while the account has a mailbox mark', () => {
    const trustOf = (session: RegisteringSession, mark: object, options: object = {}, facts: object = {}) => {
      const mailboxMark = { since: now - hours(1), hadSigner: false, ...mark }
      const none = { hasTrustedDevice: false, hasCoolingOff: false, ...others }
      return initialTrust({ ...defaultOptions, ...options }, { session, ...none, mailboxMark, ...facts }, now)
    }
    const markEnds = now - hours(1) + days(7)

    it.each(enrolments)('begins when the mark ends, for a session by password, under `%s`', (enrolment) => {
      expect(trustOf(passwordSession, {}, { enrolment })).toBe(markEnds)
      expect(trustOf(passwordSession, {}, { enrolment, mailboxMark: hours(1) + 1, coolingOff: hours(1) })).toBe(now + hours(1))
      expect(trustOf(passwordSession, {}, { enrolment, mailboxMark: hours(1) })).toBe(now)
    })

    it('begins as without a mark from the millisecond in which the mark ends, in an older session', () => {
      const older = { ...passwordSession, createdAt: now - minutes(10) - 1 }
      const trustWhenMarkLasts = (mailboxMark: number, options: object) => trustOf(older, {}, { mailboxMark, ...options })
      const byCode = { enrolment: 'fresh', forgotEnrolment: 'code' }
      expect(trustWhenMarkLasts(hours(1) + 1, { enrolment: 'open' })).toBe(coolingOff)
      expect(trustWhenMarkLasts(hours(1), { enrolment: 'open' })).toBe(now)
      expect(trustWhenMarkLasts(hours(1) + 1, byCode)).toBe(untilVouchedFor)
      expect(trustWhenMarkLasts(hours(1), byCode)).toBe(coolingOff)
    })

    it.each(enrolments)('never begins by waiting if the user had a trusted device or passkey, under `%s`', (enrolment) => {
      for (const since of [now, now - days(8), now - days(800)]) {
        expect(trustOf(passwordSession, { since, hadSigner: true }, { enrolment })).toBeNull()
      }
    })

    it('waits for a code of an administrator if the host demands it', () => {
      expect(trustOf(passwordSession, {}, { forgotEnrolment: 'code' })).toBeNull()
      const strict = { enrolment: 'vouched', firstDeviceOfOlderSession: 'code_or_admin' }
      expect(trustOf(passwordSession, {}, strict)).toBeNull()
    })

    it.each(enrolments)('begins at once in a fresh session of a trusted device, under `%s`', (enrolment) => {
      expect(trustOf(deviceSession, { hadSigner: true }, { enrolment })).toBe(now)
    })

    it('waits until it is vouched for while another device is in its cooling-off period', () => {
      expect(trustOf(passwordSession, {}, {}, { hasCoolingOff: true })).toBeNull()
    })
  })

  it('follows the times that the host sets', () => {
    const options = { ...defaultOptions, freshSessionAge: minutes(1), coolingOff: hours(1) }
    const facts = { session: passwordSession, hasTrustedDevice: false, hasCoolingOff: false, ...others }
    expect(initialTrust(options, facts, now)).toBe(now + hours(1))
    const young = { ...passwordSession, createdAt: now - minutes(1) }
    expect(initialTrust(options, { ...facts, session: young }, now)).toBe(now)
  })
})

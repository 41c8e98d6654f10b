import { globSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import * as core from './index.ts'

it('the entry exports these names and no others', () => {
  expect(Object.keys(core).sort()).toMatchInlineSnapshot(`
    [
      "FieldNotOpened",
      "InvalidKeyRing",
      "ProjectCodeMistake",
      "PushTokenGone",
      "UserDirectoryMistake",
      "allParts",
      "approvalsKeptFor",
      "argon2Hasher",
      "confirmationOutcomes",
      "createCountersign",
      "databaseClock",
      "declaredOptions",
      "defaultOptions",
      "defaultRateLimits",
      "defineActionType",
      "deviceLoginChallenge",
      "deviceRegistrationChallenge",
      "errors",
      "formatAmount",
      "gateActionTypes",
      "generateKeyRing",
      "generateReceiptKeyRing",
      "grantsAnything",
      "groupsOf",
      "importMembers",
      "inspectJson",
      "isApprovalPolicies",
      "knownPermissions",
      "limitSubject",
      "newestActive",
      "noPush",
      "normaliseEmail",
      "parseKeyRing",
      "parseReceiptKeyRing",
      "perMinute",
      "pushMessageTypes",
      "realTime",
      "refusalReasons",
      "requireNoServer",
      "requirePermission",
      "silentLogger",
      "subscriptionOf",
      "systemClock",
      "systemRandom",
      "toIsoTimestamp",
      "unusableHashFormats",
      "weakBands",
    ]
  `)
})

const errorFiles = globSync('**/errors.ts', { cwd: import.meta.dirname })

it.each(errorFiles)('the entry exports in `errors` every refusal of %s, so that a host can recognise it', async (file) => {
  const refusals = Object.values<unknown>(await import(join(import.meta.dirname, file))).filter(
    (one) => typeof one === 'function' && one.prototype instanceof core.errors.CountersignError,
  )
  expect(refusals.length).toBeGreaterThan(0)
  expect(Object.values<unknown>(core.errors)).toEqual(expect.arrayContaining(refusals))
})

it('`errors` has only classes of errors, and the tables of their codes', () => {
  const others = Object.entries<unknown>(core.errors).filter(
    ([, one]) => !(typeof one === 'function' && one.prototype instanceof Error),
  )
  expect(others.map(([name]) => name)).toStrictEqual(['errorClasses', 'errorDescriptions'])
})

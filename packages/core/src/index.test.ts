import { globSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import * as core from './index.ts'

it('exports these names and no others', () => {
  expect(Object.keys(core).sort()).toMatchInlineSnapshot(`
    [
      "ConfirmationExpired",
      "ConfirmationNotFound",
      "ConfirmationUsed",
      "Conflict",
      "CountersignError",
      "DataMoveDiffers",
      "DataMoveRefused",
      "DataMoveUnfinished",
      "DeviceAlreadyRegistered",
      "DeviceNotFound",
      "EmailTaken",
      "Forbidden",
      "Gone",
      "InsufficientTrustLevel",
      "Invalid",
      "InvalidAccessToken",
      "InvalidBiometricToken",
      "InvalidCredentials",
      "InvalidDeviceSignature",
      "InvalidImportLine",
      "InvalidKeyRing",
      "InvalidOneTimeCode",
      "InvalidPasskey",
      "InvalidRefreshToken",
      "JsonRefused",
      "NotFound",
      "OtherDevice",
      "PasskeyAlreadyRegistered",
      "PasskeyNotFound",
      "PasskeyOfSeveralUsers",
      "PasskeyRegistrationGone",
      "PasskeyRegistrationNotFound",
      "ProductAttributesRefused",
      "ProductSchemaBreaks",
      "ProductSchemaNotFound",
      "ProductSchemaTaken",
      "ProductSchemasChangedMeanwhile",
      "ProjectCodeMistake",
      "ProjectCodeTaken",
      "ProjectNotFound",
      "RateLimited",
      "RegistrationChallengeGone",
      "RegistrationChallengeNotFound",
      "SchemaRefused",
      "ServiceTokenNotFound",
      "SessionNotFound",
      "TooManyDevices",
      "TooManyPasskeys",
      "TooManyPendingConfirmations",
      "Unauthenticated",
      "Unavailable",
      "UserChangedMeanwhile",
      "UserDirectoryMistake",
      "UserNotFound",
      "UserRefused",
      "UsersKeptElsewhere",
      "WrongConfirmationSignature",
      "WrongMatchNumber",
      "accountChanges",
      "allParts",
      "argon2Hasher",
      "confirmationChallenge",
      "createCountersign",
      "defaultOptions",
      "defaultRateLimits",
      "enrolments",
      "formatAmount",
      "generateKeyRing",
      "grantsAnything",
      "importMembers",
      "inspectJson",
      "isTrusted",
      "knownPermissions",
      "newestActive",
      "noPush",
      "normaliseEmail",
      "parseKeyRing",
      "perMinute",
      "requirePermission",
      "silentLogger",
      "systemClock",
      "systemRandom",
      "toIsoTimestamp",
    ]
  `)
})

const errorFiles = globSync('**/errors.ts', { cwd: import.meta.dirname })

it.each(errorFiles)('exports every refusal of %s, so that a host can tell it apart', async (file) => {
  const refusals = Object.values<unknown>(await import(join(import.meta.dirname, file))).filter(
    (one) => typeof one === 'function' && one.prototype instanceof core.CountersignError,
  )
  expect(refusals.length).toBeGreaterThan(0)
  expect(Object.values<unknown>(core)).toEqual(expect.arrayContaining(refusals))
})

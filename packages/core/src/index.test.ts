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
      "InvalidPasskey",
      "InvalidRefreshToken",
      "NotFound",
      "OtherDevice",
      "PasskeyAlreadyRegistered",
      "PasskeyNotFound",
      "PasskeyRegistrationGone",
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
      "UsersKeptElsewhere",
      "WrongConfirmationSignature",
      "argon2Hasher",
      "builtInSchemas",
      "capacityMs",
      "confirmationChallenge",
      "createCountersign",
      "decide",
      "defaultOptions",
      "defaultRateLimits",
      "effectiveFullAt",
      "formatAmount",
      "generateKeyRing",
      "importMembers",
      "inStep",
      "noPush",
      "normaliseEmail",
      "parseKeyRing",
      "perMinute",
      "productSchemaKey",
      "requirePermission",
      "searchedText",
      "silentLogger",
      "systemClock",
      "systemRandom",
      "toIsoTimestamp",
      "whenKnown",
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

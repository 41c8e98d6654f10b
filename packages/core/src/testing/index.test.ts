import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import * as contract from './contract/index.ts'
import * as testing from './index.ts'

/** Makes a process behave as if these packages were not installed. */
const withoutTestLibraries = `
import { registerHooks } from 'node:module'
registerHooks({
  resolve: (specifier, context, next) => {
    if (/^(vitest|fast-check)($|\\/)/.test(specifier)) throw new Error(specifier + ' is not installed')
    return next(specifier, context)
  },
})`

/** Imports a module in a process of its own that has neither vitest nor fast-check. */
const importWithoutTestLibraries = (module: string) => {
  const code = `${withoutTestLibraries}
const names = Object.keys(await import(${JSON.stringify(new URL(module, import.meta.url).href)}))
console.log(names.includes('fakeClock') ? 'imported' : names)`
  const args = ['--conditions=@countersign/source', '--disable-warning=ExperimentalWarning', '--input-type=module', '-e', code]
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  return { stdout: stdout.trim(), stderr }
}

describe('the entry for tests of hosts', () => {
  it('is imported in a process without vitest and without fast-check', () => {
    expect(importWithoutTestLibraries('./index.ts')).toStrictEqual({ stdout: 'imported', stderr: '' })
  })

  it('does not contain the contract suites, which need both', () => {
    expect(importWithoutTestLibraries('./contract/index.ts').stderr).toMatch(/(vitest|fast-check) is not installed/)
  })
})

it('the entry for contract suites exports exactly these suites', () => {
  expect(Object.keys(contract).sort()).toStrictEqual(['describeRateLimitStore', 'describeStorage', 'describeUserDirectory'])
})

it('exports these names and no others', () => {
  expect(Object.keys(testing).sort()).toStrictEqual([
    'aChallenge',
    'aChallengeText',
    'aConfirmation',
    'aCustomer',
    'aDevice',
    'aKeyRing',
    'aNewUser',
    'aOneTimeCode',
    'aPasskey',
    'aProduct',
    'aProductSchema',
    'aProject',
    'aPushToken',
    'aReceiptKeyRing',
    'aRegistrationEvidence',
    'aResource',
    'aSealedField',
    'aServiceToken',
    'aSession',
    'aUser',
    'anActionType',
    'anAnnouncement',
    'anApprovalRequest',
    'anEvidence',
    'anExpense',
    'approvalByPasskey',
    'cheapHasher',
    'clockStart',
    'createTestDevice',
    'createTestUser',
    'createVirtualPasskey',
    'drainableBackground',
    'failuresOf',
    'fakeClock',
    'generateDeviceKeyPair',
    'hostileTokens',
    'memoryDirectory',
    'noWaits',
    'recordingLogger',
    'recordingPush',
    'registerTestDevice',
    'registerTestPasskey',
    'signIn',
    'signInByDevice',
    'signInByHost',
    'signInByPasskey',
    'signInDeviceUserByHost',
    'signInNewDeviceUser',
    'signInNewPasskeyUser',
    'signInNewUser',
    'testCountersignOn',
    'testPassword',
    'validPayloads',
    'wireTransferDefinition',
    'wireTransferPayload',
  ])
})

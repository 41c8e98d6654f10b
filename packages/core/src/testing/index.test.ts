import { expect, it } from 'vitest'
import * as testing from './index.ts'

it('exports these names and no others', () => {
  expect(Object.keys(testing).sort()).toStrictEqual([
    'aChallenge',
    'aChallengeText',
    'aConfirmation',
    'aDevice',
    'aKeyRing',
    'aNewUser',
    'aSealedField',
    'aServiceToken',
    'aSession',
    'aUser',
    'anAnnouncement',
    'cheapHasher',
    'clockStart',
    'createMemoryStorage',
    'createTestCountersign',
    'createTestDevice',
    'createTestUser',
    'describeStorage',
    'drainableBackground',
    'fakeClock',
    'generateDeviceKeyPair',
    'hostileTokens',
    'recordingLogger',
    'recordingPush',
    'registerTestDevice',
    'signIn',
    'signInByDevice',
    'signInNewDeviceUser',
    'signInNewUser',
    'testPassword',
    'validPayloads',
  ])
})

import { generateKeyRing, parseKeyRing, systemRandom } from '@countersign/core'
import { expect, test } from 'vitest'
import { type Environment, readConfig } from '../config/read-config.ts'
import { differencesFrom, settingsOf } from './settings.ts'

const secret = () => generateKeyRing(systemRandom).replace(/^.*:/, '')
const [first, second, other] = [secret(), secret(), secret()]
const encryption = generateKeyRing(systemRandom)

const settings = (jwtKeys: string, more: Environment = {}) => {
  const keys = { jwtKeys: parseKeyRing(jwtKeys), encryptionKeys: parseKeyRing(encryption) }
  return settingsOf(readConfig({ COUNTERSIGN_DATABASE_URL: 'sqlite:x.db', ...more }), keys)
}
const one = settings(`k1:${first}`)

test('equal settings have no differences, in whatever order gates are written', () => {
  expect(differencesFrom([one, one], settings(`k1:${first}`))).toEqual([])
  const gates = ['project.approve:document_approval', 'user.grant:user_access']
  const written = (list: readonly string[]) => settings(`k1:${first}`, { COUNTERSIGN_GATES: list.join(',') })
  expect(differencesFrom([written(gates)], written(gates.toReversed()))).toEqual([])
})

test('every setting that must be equal on all servers is named if it differs', () => {
  const more = {
    COUNTERSIGN_ENROLMENT: 'vouched',
    COUNTERSIGN_NUMBER_MATCHING: 'on',
    COUNTERSIGN_GATES: 'user.grant:user_access',
    COUNTERSIGN_RETENTION_APPROVALS_DAYS: '30',
    COUNTERSIGN_RETENTION_REFUSALS_DAYS: 'forever',
    COUNTERSIGN_RP_ID: 'example.test',
    COUNTERSIGN_ORIGINS: 'https://example.test',
  }
  const names = Object.keys(more).filter((name) => name !== 'COUNTERSIGN_ORIGINS')
  expect(differencesFrom([one], settings(`k1:${first}`, more)).toSorted()).toEqual(names.toSorted())
})

test('a key with another secret is named, and so is a key that another server lacks although one signs with it', () => {
  expect(differencesFrom([one], settings(`k1:${other}`))).toEqual(['COUNTERSIGN_JWT_KEYS (key k1)'])
  expect(differencesFrom([one], settings(`k2:${second},k1:${first}`))).toEqual(['COUNTERSIGN_JWT_KEYS (key k2)'])
  // The first step of a rotation: the new key verifies everywhere before it signs anywhere.
  expect(differencesFrom([one], settings(`k1:${first},k2:${second}`))).toEqual([])
})

test('settings that one version does not know do not differ', () => {
  const { COUNTERSIGN_GATES: _, ...earlier } = one.digests
  expect(differencesFrom([{ ...one, digests: earlier }], one)).toEqual([])
})

test('the announcement contains no secret and no value of a setting', () => {
  const text = JSON.stringify(
    settings(`k1:${first}`, { COUNTERSIGN_RP_ID: 'canary.test', COUNTERSIGN_ORIGINS: 'https://canary.test' }),
  )
  for (const held of [first, encryption.replace(/^.*:/, ''), 'canary']) expect(text).not.toContain(held)
})

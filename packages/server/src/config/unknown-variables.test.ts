import { expect, it } from 'vitest'
import { readConfig } from './read-config.ts'
import { namedSettings } from './settings.ts'
import { unknownVariables } from './unknown-variables.ts'

it.each([
  ['COUNTERSIGN_PROT', 'COUNTERSIGN_PORT'],
  ['COUNTERSIGN_ORIGIN', 'COUNTERSIGN_ORIGINS'],
  ['COUNTERSIGN_RPID', 'COUNTERSIGN_RP_ID'],
  ['COUNTERSIGN_JWT_KEY', 'COUNTERSIGN_JWT_KEYS'],
  ['COUNTERSIGN_TRUSTED_PROXY', 'COUNTERSIGN_TRUST_PROXY'],
  ['COUNTERSIGN_DATABASE', 'COUNTERSIGN_DATABASE_URL'],
  ['countersign_log_level', 'COUNTERSIGN_LOG_LEVEL'],
])('%s is unknown, and the most similar known name is %s', (name, nearest) => {
  expect(unknownVariables({ [name]: 'x' })).toEqual([{ name, nearest }])
  expect(readConfig({ [name]: 'x' }).unknownVariables).toEqual([{ name, nearest }])
})

it.each([
  ...namedSettings.map(([, { variable }]) => variable),
  'NODE_ENV',
  'OTHER_COUNTERSIGN_PORT',
  'COUNTERSIGN_SERVICE_HOST',
  'COUNTERSIGN_SERVICE_PORT_HTTP',
  'COUNTERSIGN_PORT_4000_TCP_ADDR',
])('%s is not reported as unknown', (name) => {
  expect(unknownVariables({ [name]: 'x' })).toEqual([])
})

it.each([
  ['\uFEFFCOUNTERSIGN_DATABASE_URL', '\\ufeffCOUNTERSIGN_DATABASE_URL', 'COUNTERSIGN_DATABASE_URL'],
  ['COUNTERSIGN_PORT ', 'COUNTERSIGN_PORT\\u0020', 'COUNTERSIGN_PORT'],
  ['\uFEFFCOUNTERSIGN_PROT', '\\ufeffCOUNTERSIGN_PROT', 'COUNTERSIGN_PORT'],
  ['\uFEFFNODE_ENV', '\\ufeffNODE_ENV', 'NODE_ENV'],
  // Older versions of Node read a byte order mark, a comment and the next line as one name.
  ['\uFEFF# x\nCOUNTERSIGN_PORT', '\\ufeff#\\u0020x\\u000aCOUNTERSIGN_PORT', 'COUNTERSIGN_PORT'],
  ['\uFEFF\nCOUNTERSIGN_PROT', '\\ufeff\\u000aCOUNTERSIGN_PROT', 'COUNTERSIGN_PORT'],
])('%j is reported as %s, with the known name %s', (name, shown, nearest) => {
  expect(unknownVariables({ [name]: 'x' })).toEqual([{ name: shown, nearest }])
})

it('an empty variable is never reported as unknown', () => {
  expect(unknownVariables({ COUNTERSIGN_PROT: '', COUNTERSIGN_TYPO: undefined })).toEqual([])
})

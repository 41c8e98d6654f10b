import { describe, expect, it } from 'vitest'
import { compareSchemaVersions, isSchemaVersion } from './schema-version.ts'

describe('the version of a schema', () => {
  it.each(['0.0.0', '1.0.0', '10.20.30', '999999999.0.1'])('may be %s', (text) => {
    expect(isSchemaVersion(text)).toBe(true)
  })

  it.each([
    '',
    '1',
    '1.0',
    '1.0.0.0',
    'v1.0.0',
    '01.0.0',
    '1.0.0-beta',
    '1.0.0+1',
    '1.0.x',
    '1.0.0 ',
    '1.0.0\n',
    '-1.0.0',
    '1000000000.0.0',
    '١.٠.٠',
  ])('must not be %j', (text) => {
    expect(isSchemaVersion(text)).toBe(false)
  })
})

it('versions of schemas are compared number by number, major first', () => {
  const versions = ['0.0.1', '0.0.9', '0.0.10', '0.2.0', '0.10.0', '1.0.0', '1.0.1', '2.0.0', '10.0.0']
  expect([...versions].reverse().sort(compareSchemaVersions)).toStrictEqual(versions)
  expect(compareSchemaVersions('1.2.3', '1.2.3')).toBe(0)
})

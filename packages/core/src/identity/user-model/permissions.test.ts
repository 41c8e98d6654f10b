import { describe, expect, it } from 'vitest'
import { isPermission, mayDo, toPermissionSet, wildcardFor } from './permissions.ts'

describe('a permission', () => {
  it.each([
    'project.read',
    'project.*',
    '*.*',
    'a.b',
    'a.b@acme',
    'a.*@Acme:eu_1.x-y',
    '*.*@a',
    `a.b@${'s'.repeat(64)}`,
    'sensitive_data.read-all',
    `${'r'.repeat(64)}.${'a'.repeat(64)}`,
  ])('may be %s', (text) => {
    expect(isPermission(text)).toBe(true)
  })

  it.each([
    '*.read',
    '*',
    '',
    '.',
    'project',
    '7up.read',
    'Project.read',
    'pröject.read',
    '.read',
    'project.',
    'project.read.all',
    'a..b',
    `${'r'.repeat(65)}.read`,
    'project.**',
    'project.read ',
    'project.read\n',
    'project.re ad',
    'a.b@',
    '@acme',
    'a.b@a@b',
    'a.b@a b',
    `a.b@${'s'.repeat(65)}`,
  ])('must not be %j', (text) => {
    expect(isPermission(text)).toBe(false)
  })
})

describe('granted permissions', () => {
  it.each([
    [['project.read'], true],
    [['project.*'], true],
    [['*.*'], true],
    [['a.b', 'project.read'], true],
    [[], false],
    [['project.update'], false],
    [['projects.*'], false],
    [['proj.*'], false],
    [['PROJECT.READ'], false],
    [['project.rea'], false],
  ])('%j include project.read: %s', (granted, covered) => {
    expect(mayDo(granted, 'project.read')).toBe(covered)
  })

  it('for one action do not grant every action', () => {
    expect(mayDo(['project.read'], 'project.*')).toBe(false)
  })
})

describe('permissions in a tenant', () => {
  it.each([
    [['payment.approve@acme'], 'acme', true],
    [['payment.*@acme'], 'acme', true],
    [['*.*@acme'], 'acme', true],
    [['payment.approve'], 'acme', true],
    [['payment.approve@acme'], 'other', false],
    [['payment.approve@acme'], 'Acme', false],
    [['payment.approve@acme'], null, false],
    [['payment.*@acme', '*.*@acme'], null, false],
    [['payment.read@acme'], 'acme', false],
  ])('%j include payment.approve in tenant %j: %s', (granted, tenant, covered) => {
    expect(mayDo(granted, 'payment.approve', tenant)).toBe(covered)
  })

  it('are still granted by a wildcard of the tenant, and by the permission without a tenant', () => {
    expect(wildcardFor(['a.*@acme'], 'a.b@acme')).toBe('a.*@acme')
    expect(wildcardFor(['a.b'], 'a.b@acme')).toBe('a.b')
    expect(wildcardFor(['a.b@acme', 'a.*@other'], 'a.b@acme')).toBeUndefined()
    expect(wildcardFor(['a.*@acme'], 'a.b')).toBeUndefined()
  })
})

it('a permission set is sorted and has no duplicates', () => {
  expect(toPermissionSet(['b.read', 'a.read', 'b.read', '*.*'])).toStrictEqual(['*.*', 'a.read', 'b.read'])
})

import { describe, expect, it } from 'vitest'
import { isPermission, mayDo, toPermissionSet } from './permissions.ts'

describe('a permission', () => {
  it.each(['project.read', 'project.*', '*.*', 'a.b', 'sensitive_data.read-all', `${'r'.repeat(64)}.${'a'.repeat(64)}`])(
    'may be %s',
    (text) => {
      expect(isPermission(text)).toBe(true)
    },
  )

  it.each(['*.read', '*', '', '.', 'project', '7up.read', 'a..b', `${'r'.repeat(65)}.read`, 'project.**', 'project.read '])(
    'may not be %j',
    (text) => {
      expect(isPermission(text)).toBe(false)
    },
  )
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

  it('for one action do not include every action', () => {
    expect(mayDo(['project.read'], 'project.*')).toBe(false)
  })
})

it('a permission set is sorted and has no duplicates', () => {
  expect(toPermissionSet(['b.read', 'a.read', 'b.read', '*.*'])).toStrictEqual(['*.*', 'a.read', 'b.read'])
})

import { describe, expect, it } from 'vitest'
import { isPermission, mayDo, toPermissionSet } from './permissions.ts'

describe('a permission', () => {
  it.each(['project.read', 'project.*', '*.*', 'a.b', 'sensitive_data.read-all', `${'r'.repeat(64)}.${'a'.repeat(64)}`])(
    'is %s',
    (text) => {
      expect(isPermission(text)).toBe(true)
    },
  )

  it.each(['*.read', '*', '', '.', 'project', '7up.read', 'a..b', `${'r'.repeat(65)}.read`, 'project.**', 'project.read '])(
    'is not %j',
    (text) => {
      expect(isPermission(text)).toBe(false)
    },
  )
})

describe('what is granted', () => {
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
  ])('as %j covers project.read: %s', (granted, covered) => {
    expect(mayDo(granted, 'project.read')).toBe(covered)
  })

  it('as one action does not cover all of them', () => {
    expect(mayDo(['project.read'], 'project.*')).toBe(false)
  })
})

it('a set of permissions is sorted and says each once', () => {
  expect(toPermissionSet(['b.read', 'a.read', 'b.read', '*.*'])).toStrictEqual(['*.*', 'a.read', 'b.read'])
})

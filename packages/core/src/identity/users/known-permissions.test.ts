import { expect, it } from 'vitest'
import { grantsAnything, knownPermissions } from './known-permissions.ts'
import { isPermission } from './permissions.ts'

it('every known permission can be granted, and grants something', () => {
  for (const known of knownPermissions) expect([isPermission(known), grantsAnything(known)]).toStrictEqual([true, true])
})

it.each([
  ['*.*', true],
  ['project.*', true],
  ['project.raed', false],
  ['projects.*', false],
  ['order.read', false],
])('whether %s grants an operation of ours: %s', (permission, grants) => {
  expect(grantsAnything(permission)).toBe(grants)
})

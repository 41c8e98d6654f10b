import { expect, it } from 'vitest'
import { grantsAnything, isPermission, knownPermissions } from './permissions.ts'

it('every known permission is valid, and grants an operation', () => {
  for (const known of knownPermissions) expect([isPermission(known), grantsAnything(known)]).toStrictEqual([true, true])
})

it.each([
  ['*.*', true],
  ['project.*', true],
  ['project.raed', false],
  ['projects.*', false],
  ['order.read', false],
])('%s grants an operation of Countersign: %s', (permission, grants) => {
  expect(grantsAnything(permission)).toBe(grants)
})

it('the permission of an approval policy grants something', () => {
  expect(['order.read', 'order.*', 'order.write'].map((permission) => grantsAnything(permission, ['order.read']))).toStrictEqual([
    true,
    true,
    false,
  ])
})

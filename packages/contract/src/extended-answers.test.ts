import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { withoutExtended, withoutExtendedMembers } from './extended-answers.ts'
import { type OperationName, operations } from './operations/index.ts'
import { extended } from './schemas/extended.ts'

const device = z.object({ id: z.string(), trusted: extended(z.boolean()) })

describe('a response without its extended members', () => {
  it('lacks the members at every depth and keeps all others', () => {
    const schema = z.object({ list: z.array(device), one: device.nullable(), maybe: device.optional(), plain: z.object({}) })
    const output = { list: [{ id: 'a', trusted: true }, { id: 'b' }], one: { id: 'c', trusted: false }, plain: { trusted: 1 } }
    const before = structuredClone(output)
    expect(withoutExtendedMembers(schema)?.(output)).toStrictEqual({
      list: [{ id: 'a' }, { id: 'b' }],
      one: { id: 'c' },
      plain: { trusted: 1 },
    })
    expect(output).toStrictEqual(before)
    expect(withoutExtendedMembers(schema)?.({ ...output, one: null })).toMatchObject({ one: null })
  })

  it('lacks the members of both sides of an intersection', () => {
    const sides = z.object({ a: z.string(), b: extended(z.string()) }).and(z.object({ c: z.string(), d: extended(z.string()) }))
    const plain = z.object({ e: z.string() })
    const output = { a: '1', b: '2', c: '3', d: '4', e: '5' }
    expect(withoutExtendedMembers(sides)?.(output)).toStrictEqual({ a: '1', c: '3', e: '5' })
    expect(withoutExtendedMembers(device.and(plain))?.({ ...output, trusted: true })).toStrictEqual(output)
    expect(withoutExtendedMembers(plain.and(device))?.({ ...output, trusted: true })).toStrictEqual(output)
    expect(withoutExtendedMembers(plain.and(plain))).toBeUndefined()
  })

  it('keeps instances of classes, such as text that is JSON already', () => {
    class Written {
      readonly text = '{"id":"a"}'
    }
    const written = new Written()
    expect(withoutExtendedMembers(z.object({ one: device }))?.({ one: written }).one).toBe(written)
  })

  it('is the response itself if the schema has no extended members', () => {
    expect(withoutExtendedMembers(z.object({ list: z.array(z.object({ id: z.string() })) }))).toBeUndefined()
  })

  it('differs only for the operations that this test names', () => {
    const differing = (Object.keys(operations) as OperationName[]).filter((name) => withoutExtended(name) !== undefined)
    expect(differing).toStrictEqual([
      'sessions.list',
      'sessions.open',
      'devices.list',
      'devices.beginRegistration',
      'devices.finishRegistration',
      'mobile.beginLogin',
      'passkeys.finishRegistration',
      'passkeys.list',
      'passkeys.rename',
      'internal.verify',
      'confirmations.initiate',
      'confirmations.status',
      'projects.get',
      'projects.create',
      'projects.update',
      'projects.approve',
      'projects.setProgress',
    ])
  })
})

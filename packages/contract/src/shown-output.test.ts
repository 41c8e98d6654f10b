import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { type OperationName, operations } from './operations/index.ts'
import { extended } from './schemas/extended.ts'
import { timestamp } from './schemas/fields.ts'
import { shapes } from './shapes.ts'
import { hasExtended, JsonText, showAs } from './shown-output.ts'

const device = z.object({ id: z.string(), trusted: extended(z.boolean()) })

describe('an output', () => {
  it('has the members that the contract names at every depth, and no others', () => {
    const schema = z.object({ list: z.array(device), one: device.nullable(), maybe: device.optional(), open: z.looseObject({}) })
    const given = {
      list: [{ id: 'a', trusted: true, publicKey: 'k' }, { id: 'b' }],
      one: { id: 'c', trusted: false, pushToken: 't' },
      open: { any: 1 },
      version: 7,
    }
    const before = structuredClone(given)
    expect(showAs(schema)(given, false)).toStrictEqual({ list: [{ id: 'a' }, { id: 'b' }], one: { id: 'c' }, open: { any: 1 } })
    expect(showAs(schema)(given, true)).toMatchObject({ list: [{ id: 'a', trusted: true }, { id: 'b' }] })
    expect(showAs(schema)({ ...given, one: null }, false)).toMatchObject({ one: null })
    expect(given).toStrictEqual(before)
  })

  it('has the members of both sides of an intersection, and of every option of a union', () => {
    const options = z.union([z.object({ c: z.string(), d: extended(z.string()) }), z.object({ e: z.looseObject({}) })])
    const sides = z.object({ a: z.string(), b: extended(z.string()) }).and(options)
    const given = { a: '1', b: '2', c: '3', d: '4', e: { f: 5 }, g: '6' }
    expect(showAs(sides)(given, false)).toStrictEqual({ a: '1', c: '3', e: { f: 5 } })
  })

  it('has instants as timestamps, and other numbers unchanged', () => {
    const schema = z.object({ at: timestamp, seen: extended(timestamp.nullable()), count: z.int() })
    expect(showAs(schema)({ at: 0, seen: 1000, count: 5 }, true)).toStrictEqual({
      at: '1970-01-01T00:00:00.000Z',
      seen: '1970-01-01T00:00:01.000Z',
      count: 5,
    })
    expect(showAs(schema)({ at: 0, seen: null, count: 5 }, true)).toMatchObject({ seen: null })
  })

  it('keeps text that is JSON already', () => {
    const written = new JsonText('{"id":"a"}')
    expect(showAs(z.object({ one: device }))({ one: written }, false)).toStrictEqual({ one: written })
  })

  it('shows no further members of an object without the usual prototype', () => {
    class Row {
      readonly id = 'a'
      readonly publicKey = 'k'
    }
    const bare = Object.assign(Object.create(null), { id: 'b', publicKey: 'k' })
    expect(showAs(z.array(device))([new Row(), bare], true)).toStrictEqual([{ id: 'a' }, { id: 'b' }])
  })

  it('differs in extended answers only for the operations that this test names', () => {
    const differing = (Object.keys(operations) as OperationName[]).filter((name) => hasExtended(shapes[name].output))
    expect(differing).toStrictEqual([
      'account.me',
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
      'confirmations.reject',
      'approvals.read',
      'approvals.stop',
      'projects.get',
      'projects.create',
      'projects.update',
      'projects.approve',
      'projects.setProgress',
    ])
  })
})

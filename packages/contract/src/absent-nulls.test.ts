import { describe, expect, it } from 'vitest'
import type * as z from 'zod'
import { withoutAbsentNulls } from './absent-nulls.ts'
import type { OperationName } from './operations/index.ts'
import { shapes } from './shapes.ts'

const names = Object.keys(shapes) as OperationName[]

type Path = readonly (string | number)[]

/** Lists every optional member within a schema, and says whether null has a meaning of its own there. */
const optionalMembers = (schema: z.core.$ZodType, path: Path = []): readonly { path: Path; keepsNull: boolean }[] => {
  const { def } = (schema as z.core.$ZodTypes)._zod
  if (def.type === 'optional' || def.type === 'default') {
    const keepsNull = (def.innerType as z.core.$ZodTypes)._zod.def.type === 'nullable'
    return [{ path, keepsNull }, ...optionalMembers(def.innerType, path)]
  }
  if (def.type === 'object') {
    return Object.entries(def.shape).flatMap(([name, member]) => optionalMembers(member, [...path, name]))
  }
  if (def.type === 'nullable') return optionalMembers(def.innerType, path)
  if (def.type === 'array') return optionalMembers(def.element, [...path, 0])
  if (def.type === 'pipe') return optionalMembers(def.in, path)
  if (def.type === 'union') return def.options.flatMap((option) => optionalMembers(option, path))
  return []
}

/** Makes an input that has only this value, at the end of the path. */
const inputWith = (path: Path, value: unknown): unknown =>
  path.reduceRight<unknown>((inner, step) => (typeof step === 'number' ? [inner] : { [step]: inner }), value)

const members = names.flatMap((name) =>
  optionalMembers(shapes[name].input).map((member) => ({ name, ...member, field: member.path.join('.') })),
)

describe('null for an optional member', () => {
  it('is found in bodies, in lists and in nested objects', () => {
    const fields = members.map(({ name, field }) => `${name} ${field}`)
    for (const field of [
      'auth.login rememberMe',
      'confirmations.reject reason',
      'projects.create products.0.description',
      'passkeys.beginRegistration authenticatorSelection.residentKey',
      'passkeys.finishRegistration credential.clientExtensionResults.credProps.rk',
    ])
      expect(fields).toContain(field)
  })

  it.each(members.filter(({ keepsNull }) => !keepsNull))('is removed: $name, $field', ({ name, path }) => {
    const cleaned = withoutAbsentNulls(name, inputWith(path, null))
    expect(cleaned).toStrictEqual(path.length === 1 ? {} : inputWith(path.slice(0, -1), {}))
  })

  it('stays in members for which null has a meaning', () => {
    expect(members.filter(({ keepsNull }) => keepsNull).map(({ name, field }) => [name, field])).toStrictEqual([
      ['projects.update', 'description'],
    ])
    expect(withoutAbsentNulls('projects.update', { description: null })).toStrictEqual({ description: null })
  })

  it('stays in members that are required, accept any type, or are unknown', () => {
    const inputs = [
      ['auth.login', { email: null, password: null, extra: null }],
      ['devices.setPushToken', { deviceId: 'x', pushToken: null }],
      ['confirmations.initiate', { actionType: 'settings_change', actionPayload: { oldValue: null, newValue: null, a: null } }],
      ['projects.create', { products: [{ attributes: { a: null } }] }],
    ] as const
    for (const [name, input] of inputs) expect(withoutAbsentNulls(name, input)).toBe(input)
  })

  it.each([null, undefined, 'text', 7, [], [null]])('leaves the input %j unchanged', (input) => {
    for (const name of names) expect(withoutAbsentNulls(name, input)).toBe(input)
  })

  it('changes neither the given value nor a prototype', () => {
    const input = Object.freeze(JSON.parse('{"rememberMe":null,"__proto__":{"polluted":true}}') as object)
    const cleaned = withoutAbsentNulls('auth.login', input) as object
    expect(Object.keys(cleaned)).toStrictEqual(['__proto__'])
    expect(Object.getPrototypeOf(cleaned)).toBe(Object.prototype)
  })
})

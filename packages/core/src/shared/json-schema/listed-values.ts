import type { Meter } from './meter.ts'

const UNITS_A_VALUE = 0.25
const UNITS_A_MEMBER = 0.5
const CHARACTERS_A_UNIT = 128

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/**
 * Whether two JSON values are equal (draft-07 core, section 4.2.3). Only own members count: a member named `toString` or
 * `constructor` is compared like every other. The meter is told of each pair that is looked at.
 */
const equals = (one: unknown, other: unknown, meter: Meter): boolean => {
  meter.spend(UNITS_A_VALUE)
  if (typeof one === 'string' && typeof other === 'string') {
    if (one.length !== other.length) return false
    meter.spend(one.length / CHARACTERS_A_UNIT)
    return one === other
  }
  if (!isObject(one) || !isObject(other)) return one === other
  if (Array.isArray(one) || Array.isArray(other)) {
    if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false
    return one.every((item, index) => equals(item, other[index], meter))
  }
  const members = Object.entries(one)
  if (Object.keys(other).length !== members.length) return false
  return members.every(([name, member]) => {
    meter.spend(UNITS_A_MEMBER)
    return Object.hasOwn(other, name) && equals(member, (other as Readonly<Record<string, unknown>>)[name], meter)
  })
}

/** Makes the test whether a value is one of those that a schema lists. */
export const isAmong = (listed: readonly unknown[], meter: Meter): ((value: unknown) => boolean) => {
  const scalars = new Set(listed.filter((value) => !isObject(value)))
  const objects = listed.filter(isObject)
  return (value) => (isObject(value) ? objects.some((object) => equals(object, value, meter)) : scalars.has(value))
}

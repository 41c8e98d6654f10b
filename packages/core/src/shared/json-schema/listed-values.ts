import type { Meter } from './meter.ts'

const UNITS_PER_VALUE = 0.25
const UNITS_PER_MEMBER = 0.5
const CHARACTERS_PER_UNIT = 128

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/**
 * Returns whether two JSON values are equal (draft-07 core, section 4.2.3). Only own members count, so a member named `toString`
 * is compared like any other. Each comparison spends units of the meter.
 */
const equals = (one: unknown, other: unknown, meter: Meter): boolean => {
  meter.spend(UNITS_PER_VALUE)
  if (typeof one === 'string' && typeof other === 'string') {
    if (one.length !== other.length) return false
    meter.spend(one.length / CHARACTERS_PER_UNIT)
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
    meter.spend(UNITS_PER_MEMBER)
    return Object.hasOwn(other, name) && equals(member, (other as Readonly<Record<string, unknown>>)[name], meter)
  })
}

/** Makes a function that returns whether a value equals one of the listed values. */
export const isAmong = (listed: readonly unknown[], meter: Meter): ((value: unknown) => boolean) => {
  const scalars = new Set(listed.filter((value) => !isObject(value)))
  const objects = listed.filter(isObject)
  return (value) => (isObject(value) ? objects.some((object) => equals(object, value, meter)) : scalars.has(value))
}

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import * as errors from './errors.ts'

const { errorClasses, errorDescriptions, CountersignError, JsonRefused } = errors

const codeOf = (errorClass: object): string | undefined => Reflect.get(errorClass, 'code')

/** The modules of the core that declare an error class. */
const errorFiles = globSync('**/*.ts', { cwd: import.meta.dirname, exclude: ['**/*.test.ts', 'testing/**'] }).filter((file) =>
  /class \w+ extends (?:CountersignError|Invalid|Unauthenticated|Forbidden|NotFound|Conflict|Gone|RateLimited|Unavailable|errorOf)\b/.test(
    readFileSync(join(import.meta.dirname, file), 'utf8'),
  ),
)

const isErrorClass = (one: unknown): one is object => typeof one === 'function' && one.prototype instanceof CountersignError

describe('the table of error classes', () => {
  it.each(errorFiles)('has every error class of %s under its code', async (file) => {
    const classes = Object.values<unknown>(await import(join(import.meta.dirname, file))).filter(isErrorClass)
    expect(classes.length).toBeGreaterThan(0)
    const listed = new Set<unknown>(Object.values(errorClasses))
    // The position in JSON is a detail of `invalid_input`.
    expect(classes.filter((one) => !listed.has(one) && one !== JsonRefused)).toEqual([])
    expect(Object.values<unknown>(errors)).toEqual(expect.arrayContaining(classes))
  })

  it('has each class under the code of the class', () => {
    const ownCodes = Object.entries(errorClasses).filter(([, one]) => codeOf(one) !== undefined)
    expect(ownCodes.map(([, one]) => codeOf(one))).toEqual(ownCodes.map(([code]) => code))
    expect(ownCodes.length).toBe(Object.keys(errorClasses).length - 8)
    const kinds = [
      new errors.Invalid({}),
      new errors.Unauthenticated(),
      new errors.Forbidden(),
      new errors.NotFound(''),
      new errors.Conflict(''),
      new errors.Gone(''),
      new errors.RateLimited(1),
      new errors.Unavailable(),
    ]
    expect(kinds.map(({ code }) => Reflect.get(errorClasses, code))).toEqual(kinds.map((error) => error.constructor))
  })

  it.each(Object.entries(errorClasses))('has for %s a class with the declared kind and message', (code, one) => {
    const { kind, message }: errors.ErrorDescription = errorDescriptions[code as errors.CoreErrorCode]
    // The message of a kind is a default. The other errors take arguments of many types.
    const given = message !== undefined && codeOf(one) === undefined ? [] : [[], []]
    const error = Reflect.construct(one, given) as errors.CountersignError
    expect(error).toBeInstanceOf(CountersignError)
    expect([error.kind, error.name, error.code]).toEqual([kind, one.name, code])
    if (message !== undefined) expect(error.message).toBe(message)
  })

  it('has a description for every code', () => {
    expect(Object.keys(errorClasses).filter((code) => !Object.hasOwn(errorDescriptions, code))).toEqual([])
  })
})

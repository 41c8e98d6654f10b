import { describe, expect, it, vi } from 'vitest'
import { sendWith } from '../src/testing/derived-requests.ts'
import { anExample, bodyOf, hasBody, operationNames, operationOf, pathWith } from '../src/testing/examples.ts'
import { expectDocumented } from '../src/testing/expect-answer.ts'
import { openBeforeAll } from '../src/testing/open-before-all.ts'
import type { TestApp } from '../src/testing/test-app.ts'
import { testStorages } from '../src/testing/test-storages.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

/** Texts that PostgreSQL refuses to store. */
const unstorable = ['a\0b', '\0', '\ud800', 'a\udc00', '\udfff\ud800']
/** The texts that a URL can contain: NUL, and invalid UTF-8. */
const inUrls = ['a%00b', '%00', '%ed%a0%80', 'a%ed%b0%80']

type Members = Readonly<Record<string, unknown>>

/** Returns copies of a value, each with one text replaced. */
const variationsOf = (value: unknown, text: string): readonly unknown[] => {
  if (typeof value === 'string') return [text]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) =>
    variationsOf(member, text).map((varied) =>
      Array.isArray(value) ? value.with(Number(name), varied) : { ...value, [name]: varied },
    ),
  )
}

describe.each(testStorages)('text that a database cannot store, on $name,', ({ open }) => {
  let test: TestApp
  openBeforeAll(open, (app) => {
    test = app
  })

  it.each(operationNames.filter(hasBody))('is refused with 400 in every text and in member names of %s', async (name) => {
    const { input, options } = await anExample(test, name)
    const body = bodyOf(name, input)
    const bodies = unstorable.flatMap((text) => [
      ...variationsOf(body, text),
      { ...body, [text]: 1 },
      { ...body, stranger: text },
    ])
    for (const varied of bodies as readonly Members[]) {
      const answer = await test.call(name, { ...input, ...varied }, { ...options, json: varied })
      expect(answer.status, JSON.stringify(varied)).toBe(400)
      expectDocumented(operationOf(name), answer)
    }
  })

  it.each(operationNames.filter((name) => !hasBody(name)))('is refused with 400 in every query parameter of %s', async (name) => {
    const example = await anExample(test, name)
    const named = Object.keys(bodyOf(name, example.input))
    for (const member of [...named, 'stranger']) {
      for (const text of inUrls) {
        const path = `${pathWith(name, example.input)}?${member}=${text}`
        const answer = await sendWith(test, name, () => ({ path }))(example)
        expect(answer.status, path).toBe(400)
        expectDocumented(operationOf(name), answer)
      }
    }
  })

  it.each(operationNames.filter((name) => operationOf(name).path.includes('{')))(
    'is not found in the path of %s',
    async (name) => {
      const example = await anExample(test, name)
      for (const text of inUrls) {
        const path = operationOf(name).path.replaceAll(/\{\w+\}/g, text)
        const answer = await sendWith(test, name, () => ({ path }))(example)
        expect(answer.status, path).toBeOneOf([400, 404])
        expectDocumented(operationOf(name), answer)
      }
    },
  )
})

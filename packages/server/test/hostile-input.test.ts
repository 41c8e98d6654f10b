import { shapes } from '@countersign/contract'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Attempt, sendAttempts } from '../src/testing/derived-requests.ts'
import { anExample, bodyOf, examples, hasBody, operationNames, operationOf } from '../src/testing/examples.ts'
import { hostileVariations } from '../src/testing/hostile-json.ts'
import { rawBody } from '../src/testing/raw-body.ts'
import { createTestApp, type TestApp } from '../src/testing/test-app.ts'
import { openSqlite, type TestStorage } from '../src/testing/test-storages.ts'

// Each test sends thousands of requests, some with a megabyte.
vi.setConfig({ testTimeout: 120_000 })

const withBody = operationNames.filter(hasBody)

it('every operation of the contract has a valid example, from which the suites derive invalid ones', () => {
  expect(Object.keys(examples).sort()).toEqual([...operationNames].sort())
  expect(Object.keys(shapes).sort()).toEqual([...operationNames].sort())
})

describe('a server with a real database', () => {
  let opened: TestStorage
  let test: TestApp
  // A database of its own for each test, because tests leave thousands of rows, and would slow the next ones down.
  beforeEach(async () => {
    opened = await openSqlite()
    test = await createTestApp({ storage: opened.storage, options: { rateLimits: 'off' } })
  })
  afterEach(() => opened.remove())

  it.each(operationNames)('%s accepts its valid example', async (name) => {
    const { input, options } = await anExample(test, name)
    expect(shapes[name].input.safeParse(input).success).toBe(true)
    expect((await test.call(name, input, options)).status).toBe(operationOf(name).success)
  })

  it.each(withBody)('%s answers every wrong member as documented', async (name) => {
    const { input } = await anExample(test, name)
    const attempts = hostileVariations(bodyOf(name, input)).map(
      ({ what, write }): Attempt => ({
        what,
        send: ({ input: good, options }) => test.call(name, good, rawBody(write(bodyOf(name, good)), options)),
      }),
    )
    const seen = await sendAttempts(test, name, attempts)
    expect(seen[400]).toBeGreaterThan(attempts.length / 4)
  })
})

import type { OperationName } from '@countersign/contract'
import fc from 'fast-check'
import { describe, it, vi } from 'vitest'
import { anyCharacter } from '../../core/src/testing/any-character.ts'
import { supplyExamples } from '../src/testing/derived-requests.ts'
import { anExample, bodyOf, hasBody, operationNames, operationOf } from '../src/testing/examples.ts'
import { expectDocumented } from '../src/testing/expect-answer.ts'
import { rawBody } from '../src/testing/raw-body.ts'
import { createTestApp } from '../src/testing/test-app.ts'

// Each test sends a hundred requests, some of them large.
vi.setConfig({ testTimeout: 120_000 })

const withBody = operationNames.filter(hasBody)

describe('arbitrary JSON', () => {
  const runs = { seed: 20_260_105, numRuns: 100 }
  const value = fc.jsonValue({ stringUnit: anyCharacter, maxDepth: 6 })
  /** Objects with the real member names and arbitrary values, and with unknown members. */
  const bodyFor = (members: readonly string[]) =>
    fc.record({
      kept: fc.subarray([...members]),
      others: fc.dictionary(fc.oneof(fc.constantFrom(...members, '__proto__', 'caller', 'userId'), fc.string()), value),
    })

  /** Checks the responses to requests derived from an example. A failure shows seed and path. */
  const holds = async <T>(
    name: OperationName,
    arbitrary: fc.Arbitrary<T>,
    write: (generated: T, body: Readonly<Record<string, unknown>>) => string | Uint8Array<ArrayBuffer>,
  ): Promise<void> => {
    const test = await createTestApp({ options: { rateLimits: 'off' } })
    const supply = supplyExamples(test, name)
    const property = fc.asyncProperty(arbitrary, async (generated) => {
      const { input, options } = await supply.next()
      const answer = await test.call(name, input, rawBody(write(generated, bodyOf(name, input)), options))
      supply.answered(answer.status)
      expectDocumented(operationOf(name), answer)
    })
    await fc.assert(property, runs)
    await supply.finish()
  }

  it.each(withBody)('is answered by %s as documented', async (name) => {
    const { input } = await anExample(await createTestApp(), name)
    await holds(name, bodyFor(Object.keys(bodyOf(name, input))), ({ kept, others }, body) => {
      const good = Object.entries(body).filter(([member]) => kept.includes(member))
      return JSON.stringify(Object.fromEntries([...Object.entries(others), ...good]))
    })
  })

  it.each(withBody)('is answered by %s as documented if any byte is removed or changed', async (name) => {
    const changes = fc.record({
      changed: fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { maxLength: 4 }),
      length: fc.option(fc.nat()),
    })
    await holds(name, changes, ({ changed, length }, body) => {
      const bytes = new TextEncoder().encode(JSON.stringify(body))
      for (const [at, byte] of changed) bytes[at % bytes.length] = byte
      return length === null ? bytes : bytes.slice(0, length % bytes.length)
    })
  })
})

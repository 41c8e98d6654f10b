import { describe, expect, it } from 'vitest'
import { examples } from './openapi/examples/index.ts'
import type { OperationName } from './operations/index.ts'
import { shapes } from './shapes.ts'

const oddValues: readonly unknown[] = [
  undefined,
  null,
  true,
  '',
  '\0',
  '\uD800',
  'x'.repeat(30_000),
  '9'.repeat(400),
  -1,
  1.5,
  2 ** 53,
  -(2 ** 53),
  1e300,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  [],
  [null],
  {},
]

/** Returns the value with each odd value in its place and in the place of each of its members, at any depth. */
const variationsOf = (value: unknown): readonly unknown[] => {
  if (typeof value !== 'object' || value === null) return oddValues
  const within = Object.entries(value).flatMap(([name, member]) =>
    variationsOf(member).map((varied) =>
      Array.isArray(value) ? value.with(Number(name), varied) : { ...value, [name]: varied },
    ),
  )
  return [...oddValues, ...within]
}

type Input = Readonly<Record<string, unknown>>

/** Returns variants of the input, each with one member replaced. */
const variedInputs = (input: Input): readonly unknown[] =>
  Object.entries(input).flatMap(([name, member]) => variationsOf(member).map((varied) => ({ ...input, [name]: varied })))

const inputs: readonly (readonly [what: string, name: OperationName, input: Input])[] = [
  ...(Object.keys(shapes) as OperationName[]).map((name) => [name, name, examples[name].input as Input] as const),
  ...[
    { actionType: 'user_access', actionPayload: { userId: 7, permissions: ['project.read'] } },
    { actionType: 'purchase_order', actionPayload: { amount: 1, supplier: 'ACME', items: ['paper'] } },
    { actionType: 'settings_change', actionPayload: { settingKey: 'a', oldValue: 1, newValue: 2 } },
  ].map((input) => [input.actionType, 'confirmations.initiate', input] as const),
]

describe('the message about a refused input', () => {
  it.each(inputs)('describes for %s the values that the field takes', (_what, name, input) => {
    const messages = variedInputs(input).flatMap(
      (varied) => shapes[name].input.safeParse(varied).error?.issues.map(({ message }) => message) ?? [],
    )
    expect(messages.filter((message) => !message.startsWith('must '))).toStrictEqual([])
  })
})

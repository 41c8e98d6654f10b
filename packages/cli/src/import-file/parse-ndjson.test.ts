import type { ImportLine } from '@countersign/core'
import { expect, test } from 'vitest'
import { parseNdjson } from './parse-ndjson.ts'

async function* parts(...texts: readonly string[]) {
  let firstLine = 1
  for (const text of texts) {
    yield { firstLine, bytes: Buffer.from(text) }
    firstLine += text.split('\n').length - 1
  }
}

const parse = async (...texts: readonly string[]): Promise<readonly ImportLine[]> => {
  const lines: ImportLine[] = []
  for await (const line of parseNdjson(parts(...texts))) lines.push(line)
  return lines
}

test('each line is an object, under its number in the file; empty lines are left out', async () => {
  expect(await parse('{"a":1}\r\n\n  \n{"a":2}\n', '{"a":3}')).toEqual([
    { line: 1, value: { a: 1 } },
    { line: 4, value: { a: 2 } },
    { line: 5, value: { a: 3 } },
  ])
})

test('only a line feed ends a line', async () => {
  expect(await parse('{"a":"x\u2028y\u2029z\u0085"}\n')).toEqual([{ line: 1, value: { a: 'x\u2028y\u2029z\u0085' } }])
})

test.each(['{', '[]', 'null', '7', '"text"', '{"a":1}{"a":2}', 'secret: 7'])(
  '%s is refused by its number alone',
  async (text) => {
    await expect(parse('{"a":1}\n', `{}\n${text}\n`)).rejects.toThrow(/^line 3: must be a JSON object$/)
  },
)

test('a member of the name __proto__ is only a member', async () => {
  const [line] = await parse('{"__proto__":{"polluted":true}}')
  expect(Object.keys(line?.value as object)).toEqual(['__proto__'])
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
})

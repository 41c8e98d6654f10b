import type { ImportLine, RefusedLine } from '@countersign/core'
import { expect, test } from 'vitest'
import { parseNdjson } from './parse-ndjson.ts'

async function* parts(...texts: readonly string[]) {
  let firstLine = 1
  for (const text of texts) {
    yield { firstLine, bytes: Buffer.from(text) }
    firstLine += text.split('\n').length - 1
  }
}

const columns = { required: ['a', 'amount'], optional: ['employee.id'] }

const parse = async (...texts: readonly string[]): Promise<readonly (ImportLine | RefusedLine)[]> => {
  const lines: (ImportLine | RefusedLine)[] = []
  for await (const line of parseNdjson(parts(...texts), columns)) lines.push(line)
  return lines
}

test('each line is an object with its line number, and empty lines are skipped', async () => {
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
  '%s is refused alone with its line number, and not quoted',
  async (text) => {
    expect(await parse('{"a":1}\n', `{}\n${text}\n{"a":2}`)).toEqual([
      { line: 1, value: { a: 1 } },
      { line: 2, value: {} },
      { line: 3, reason: 'must be a JSON object' },
      { line: 4, value: { a: 2 } },
    ])
  },
)

test.each([
  ['{"amount":"1","amount":"2"}', 'amount: must not be given twice'],
  ['{"note":{"a":1,"\\u0061":2}}', 'note.a: must not be given twice'],
  ['{"amount":1e400}', 'amount: must be a number that a double can hold'],
  [
    '{"amount":999999999999999.99}',
    'amount: must be a number that a double holds with all its digits; send a longer number as text',
  ],
  [
    '{"employee":{"id":653247040368672768}}',
    'employee.id: must be a number that a double holds with all its digits; send a longer number as text',
  ],
  ['{"name":"\\ud800"}', 'name: must not contain NUL or unpaired surrogates'],
  ['{"name":"\\u0000"}', 'name: must not contain NUL or unpaired surrogates'],
  ['{"__proto__":{"polluted":true}}', 'must not have a member named __proto__'],
  ['{"note":{"__proto__":{}}}', 'note: must not have a member named __proto__'],
])('%s is refused, as it is in a request body', async (text, complaint) => {
  expect(await parse(`{}\n${text}\n{}`)).toEqual([
    { line: 1, value: {} },
    { line: 2, reason: complaint },
    { line: 3, value: {} },
  ])
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
})

test('a member that the import does not read can be any number', async () => {
  expect(await parse('{"exported":1767225600.123456789}')).toMatchObject([{ line: 1, value: {} }])
})

test('a line that cannot be read is refused, and the other lines are read', async () => {
  async function* source() {
    yield { firstLine: 1, bytes: Buffer.alloc(0), unreadable: 'must be UTF-8' }
    yield { firstLine: 2, bytes: Buffer.from('{}\n') }
  }
  const lines: unknown[] = []
  for await (const line of parseNdjson(source(), columns)) lines.push(line)
  expect(lines).toEqual([
    { line: 1, reason: 'must be UTF-8' },
    { line: 2, value: {} },
  ])
})

import type { RefusedLine } from '@countersign/core'
import { expect, test } from 'vitest'
import { CommandFailed } from '../failures.ts'
import { type CsvRow, parseCsv } from './parse-csv.ts'
import type { LinesOfFile } from './read-lines.ts'

async function* parts(...texts: readonly string[]) {
  let firstLine = 1
  for (const text of texts) {
    yield { firstLine, bytes: Buffer.from(text) }
    firstLine += text.split('\n').length - 1
  }
}

const collect = async (source: AsyncIterable<LinesOfFile>): Promise<readonly (CsvRow | RefusedLine)[]> => {
  const lines: (CsvRow | RefusedLine)[] = []
  for await (const line of parseCsv(source, { required: ['a', 'b'] })) lines.push(line)
  return lines
}

const parse = (...texts: readonly string[]) => collect(parts(...texts))

test('the first line names the columns, in any order, and additional columns are passed on', async () => {
  expect(await parse('b,more,a\n1,2,3\n', '4,5,6')).toEqual([
    { line: 2, value: { a: '3', b: '1', more: '2' } },
    { line: 3, value: { a: '6', b: '4', more: '5' } },
  ])
})

test('a row has the number of its first line, after fields of several lines and after empty lines', async () => {
  const text = 'a,b\n1,"x\n\ny"\n\n2,z\n"3\n",4\n5,6\n'
  const rows = [
    { line: 2, value: { a: '1', b: 'x\n\ny' } },
    { line: 6, value: { a: '2', b: 'z' } },
    { line: 7, value: { a: '3\n', b: '4' } },
    { line: 9, value: { a: '5', b: '6' } },
  ]
  expect(await parse(text)).toEqual(rows)
  expect(await parse(text.replace('\n', '\r\n'))).toEqual(rows)
})

test('rows of commas alone are skipped, and count as lines', async () => {
  expect(await parse(',\r\na,b\r\n,\r\n1,2\r\n,,,\r\n3,\r\n,\r\n')).toEqual([
    { line: 4, value: { a: '1', b: '2' } },
    { line: 6, value: { a: '3', b: '' } },
  ])
})

test('line ends inside quotes stay unchanged, and those outside end the row, also in a file that mixes LF and CRLF', async () => {
  const text = 'a,b\r\n1,"x\r\n\r\ny"\r\n\r\n2,"x\ny\rz"\n"3\r\n",4\n5,6\r\n'
  const rows = [
    { line: 2, value: { a: '1', b: 'x\r\n\r\ny' } },
    { line: 6, value: { a: '2', b: 'x\ny\rz' } },
    { line: 8, value: { a: '3\r\n', b: '4' } },
    { line: 10, value: { a: '5', b: '6' } },
  ]
  expect(await parse(text)).toEqual(rows)
  // The file is split at every position, also between the two characters of a line end.
  for (let at = 1; at < text.length; at += 1) {
    async function* halves() {
      yield { firstLine: 1, bytes: Buffer.from(text.slice(0, at)) }
      yield { firstLine: 1, bytes: Buffer.from(text.slice(at)) }
    }
    expect(await collect(halves())).toEqual(rows)
  }
})

test('two columns with one name do not shift the line numbers of later rows', async () => {
  expect(await parse('a,b,c,c\n1,2,"x\ny","z"\n3,4,5,6\n')).toEqual([
    { line: 2, value: { a: '1', b: '2', c: 'z' } },
    { line: 4, value: { a: '3', b: '4', c: '6' } },
  ])
})

test('quotes follow RFC 4180', async () => {
  expect(await parse('a,b\n"x,""y""",Zoë\n')).toEqual([{ line: 2, value: { a: 'x,"y"', b: 'Zoë' } }])
})

test.each([
  ['a,b\n1,2\nsecret\n3,4', 3],
  ['a,b\n1,2\n1,2,secret\n3,4\n', 3],
  ['a,b\r\n1,2\r\n"x\r\ny","z",secret\r\n3,4\r\n', 3],
])('%j: a row with the wrong number of fields is refused, and the other rows are read', async (text, line) => {
  expect(await parse(text)).toEqual([
    { line: 2, value: { a: '1', b: '2' } },
    { line, reason: 'must have as many fields as the first line' },
    { line: text.includes('x') ? 5 : 4, value: { a: '3', b: '4' } },
  ])
})

test('the parser stops at an unreadable line, because the line may be part of a quoted field', async () => {
  async function* source() {
    yield { firstLine: 1, bytes: Buffer.from('a,b\n1,2\n') }
    yield { firstLine: 3, bytes: Buffer.alloc(0), unreadable: 'must be UTF-8' }
  }
  await expect(collect(source())).rejects.toThrow(new CommandFailed('line 3: must be UTF-8'))
})

test('a file with only a header has no rows', async () => {
  expect(await parse('a,b\n')).toEqual([])
})

test.each([
  ['a;b\n1;2\n', 'line 1: must name the columns a, b, in this spelling, separated by commas'],
  ['a\n1\n', 'line 1: must name the columns a, b, in this spelling, separated by commas'],
  ['a,b,a\n1,2,3\n', 'line 1: must name the columns a, b once'],
  ['A,B\n1,2\n', 'line 1: must name the columns a, b, in this spelling, separated by commas'],
  ['a,b\n1,2\n3,"secret\n4,5\n', 'line 3: must close the quote that it opens'],
  ['a,b\n1,2\n\n\n3,"secret\n\n4,5\n', 'line 5: must close the quote that it opens'],
  ['a,"b\n1,2\n', 'line 1: must close the quote that it opens'],
  [`a,b\n1,2\n3,"${'x\n'.repeat(600_000)}`, 'line 3: must be at most 1 MiB'],
  ['a,b\n1,sec"ret\n', 'line 2: must be CSV: a quote within a field is doubled, and the field is quoted'],
  ['a,b\r\n1,"x\r\ny"\r\n\r\n3,"secret\r\n\r\n4,5\r\n', 'line 5: must close the quote that it opens'],
  ['a,b\n1,"sec"ret\n', 'line 2: must be CSV: a quote within a field is doubled, and the field is quoted'],
])('%.40j is refused with its line number', async (text, message) => {
  await expect(parse(text)).rejects.toThrow(new CommandFailed(message))
})

test('a reader that stops early leaves no file open', async () => {
  let isClosed = false
  async function* endless() {
    try {
      yield { firstLine: 1, bytes: Buffer.from('a,b\n') }
      for (let firstLine = 2; ; firstLine += 1) yield { firstLine, bytes: Buffer.from('1,2\n') }
    } finally {
      isClosed = true
    }
  }
  for await (const { line } of parseCsv(endless(), { required: ['a', 'b'] })) if (line === 5) break
  await expect.poll(() => isClosed).toBe(true)
})

test('an error while reading is thrown unchanged', async () => {
  async function* failing() {
    yield { firstLine: 1, bytes: Buffer.from('a,b\n1,2\n') }
    throw new Error('line 3: must be UTF-8')
  }
  await expect(collect(failing())).rejects.toThrow('line 3: must be UTF-8')
})

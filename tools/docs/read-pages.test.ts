import { expect, test } from 'vitest'
import { showsOutput } from './compare-output.ts'
import { parsePage } from './page.ts'

const markdown = `# A page

Call \`npm start\`, then [look](#what-it-prints).

<!-- not run: it takes
a phone -->

\`\`\`sh needs=bell output title=a.sh
ring
\`\`\`

## What it \`prints\`
`

test('a parsed page has blocks with their marks, links, code and anchors', () => {
  const { blocks, links, codes, anchors } = parsePage('a.md', markdown)
  const marks = new Map([...Object.entries({ needs: 'bell', output: '', title: 'a.sh' })])
  expect(blocks).toEqual([{ at: 'a.md:8', language: 'sh', marks, text: 'ring', notRun: 'it takes\na phone' }])
  expect(links).toEqual([{ line: 3, target: '#what-it-prints' }])
  expect(codes.map(({ text }) => text)).toEqual(['npm start', 'prints'])
  expect([...anchors]).toEqual(['a-page', 'what-it-prints'])
})

test.each([
  [true, 'text', 'Took … s (of 5)', 'Took 12.5 s (of 5)\r\n'],
  [true, 'json', '{ "b": [1, "…"], "a": "conf_…" }', '{"a":"conf_123","b":[1,{"x":2}]}'],
  [false, 'text', 'Took … s', 'Took 12 s, and more'],
  [false, 'json', '{ "a": 1 }', '{ "a": 1, "b": 2 }'],
  [false, 'json', '{ "a": 1, "b": "…" }', '{ "a": 1 }'],
  [false, 'json', '{ "a": "conf_…" }', '{ "a": "x" }'],
  [false, 'json', '[1]', '{ "0": 1 }'],
])('%s: as %s, %s shows %s', (isShown, language, shown, given) => {
  expect(showsOutput(shown, given, language)).toBe(isShown)
})

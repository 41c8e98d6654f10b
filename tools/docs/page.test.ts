import { expect, test } from 'vitest'
import { parsePage } from './page.ts'

const markdown = `# A page

Call \`npm start\`, then [look](#what-it-prints).

\`\`\`json title=a.json
{}
\`\`\`

<!-- not run: it takes
a phone -->

\`\`\`sh
ring
\`\`\`

<!-- not run: -->

\`\`\`sh needs=bell output
ring
\`\`\`

## What it \`prints\`
`

test('a parsed page has blocks with their marks, links, code and anchors', () => {
  const { blocks, links, codes, anchors } = parsePage('a.md', markdown)
  expect(blocks.map(({ at, language, marks, notRun }) => [at, language, Object.fromEntries(marks), notRun])).toEqual([
    ['a.md:5', 'json', { title: 'a.json' }, undefined],
    ['a.md:12', 'sh', {}, 'it takes\na phone'],
    ['a.md:18', 'sh', { needs: 'bell', output: '' }, ''],
  ])
  expect(links).toEqual([{ line: 3, target: '#what-it-prints' }])
  expect(codes).toEqual([
    { line: 3, text: 'npm start' },
    { line: 22, text: 'prints' },
  ])
  expect([...anchors]).toEqual(['a-page', 'what-it-prints'])
})

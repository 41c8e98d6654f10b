import { expect, test } from 'vitest'
import { showsOutput } from './compare-output.ts'

test.each([
  ['text', 'Registered a', 'Registered a\n'],
  ['text', 'Took … s (of 5)', 'Took 12.5 s (of 5)'],
  ['json', '{ "b": [1, "…"], "a": "conf_…" }', '{"a":"conf_123","b":[1,{"x":2}]}'],
])('as %s, %s shows %s', (language, shown, given) => {
  expect(showsOutput(shown, given, language)).toBe(true)
})

test.each([
  ['text', 'Registered a', 'Registered b'],
  ['text', 'Took … s', 'Took 12 s, and more'],
  ['json', '{ "a": 1 }', '{ "a": 1, "b": 2 }'],
  ['json', '{ "a": 1, "b": "…" }', '{ "a": 1 }'],
  ['json', '{ "a": "conf_…" }', '{ "a": "x" }'],
  ['json', '[1]', '{ "0": 1 }'],
])('as %s, %s does not show %s', (language, shown, given) => {
  expect(showsOutput(shown, given, language)).toBe(false)
})

import { expect, test } from 'vitest'
import { compareOutput } from './compare-output.ts'

test.each([
  [true, 'text', 'Took … s (of 5)', 'Took 12.5 s (of 5)\r\n'],
  [true, 'json', '{ "b": [1, "…"], "a": "conf_…" }', '{"a":"conf_123","b":[1,{"x":2}]}'],
  [false, 'text', 'Took … s', 'Took 12 s, and more'],
  [false, 'json', '{ "a": 1 }', '{ "a": 1, "b": 2 }'],
  [false, 'json', '{ "a": 1, "b": "…" }', '{ "a": 1 }'],
  [false, 'json', '{ "a": "conf_…" }', '{ "a": "x" }'],
  [false, 'json', '[1]', '{ "0": 1 }'],
])('%s: as %s, %s shows %s', (isShown, language, shown, given) => {
  const result = expect(() => compareOutput(shown, given, language))
  if (isShown) result.not.toThrow()
  else result.toThrow()
})

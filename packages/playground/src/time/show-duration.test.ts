import { expect, test } from 'vitest'
import { showDuration } from './show-duration.ts'

test.each([
  [-1, '0 s'],
  [999, '0 s'],
  [59_999, '59 s'],
  [60_000, '1 min 0 s'],
  [899_000, '14 min 59 s'],
  [8 * 3_600_000 - 1, '7 h 59 min'],
  [30 * 86_400_000, '30 d 0 h'],
])('%i milliseconds are %s', (milliseconds, shown) => {
  expect(showDuration(milliseconds).replaceAll('\u00a0', ' ')).toBe(shown)
})

import { expect, it } from 'vitest'
import { readAnswer } from './post.ts'

it('an answer of a push service is read up to 4,096 bytes; a longer answer is cut off and counts as empty', async () => {
  let sent = 0
  const answer = async function* (bytes: number) {
    for (sent = 0; sent < bytes; ) {
      sent += 1
      yield Buffer.from('a')
    }
  }
  expect(await readAnswer(answer(4096))).toBe('a'.repeat(4096))
  expect([await readAnswer(answer(100_000)), sent]).toEqual(['', 4097])
})

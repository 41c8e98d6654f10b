import { hash, verify } from '@node-rs/argon2'
import { answerCalls } from '../harness/calls.ts'
import { HASHES_AT_ONCE } from '../harness/hashes.ts'
import { repeat } from '../harness/repeat.ts'

/** The default parameters of Countersign. */
const cost = { algorithm: 2, memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 }

const password = 'correct horse battery staple'
let stored = ''

/** Checks passwords, as many in parallel as `countersign serve` does: one for each core except one. */
export const methods = {
  open: async (): Promise<void> => {
    stored = await hash(password, cost)
  },
  round: (seconds: number) =>
    repeat(
      Array.from({ length: HASHES_AT_ONCE }, () => async () => {
        if (!(await verify(stored, password))) throw new Error('the password did not match')
      }),
      seconds,
    ),
}

answerCalls(methods)

import { hash, verify } from '@node-rs/argon2'
import { answerCalls } from '../harness/program.ts'
import { repeat } from '../harness/round.ts'

const password = 'correct horse battery staple'
let operations: readonly (() => Promise<void>)[] = []

/** Checks passwords with the default parameters of Countersign, this many in parallel. */
export const program = answerCalls({
  open: async (parallel: number): Promise<void> => {
    const stored = await hash(password, { algorithm: 2, memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 })
    operations = Array.from({ length: parallel }, () => async () => {
      if (!(await verify(stored, password))) throw new Error('the password did not match')
    })
  },
  round: (seconds: number) => repeat(operations, seconds),
})

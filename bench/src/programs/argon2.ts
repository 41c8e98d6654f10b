import { hash, verify } from '@node-rs/argon2'
import { repeatOperations } from '../harness/program.ts'

const password = 'correct horse battery staple'

/** Checks passwords with the default parameters of Countersign, this many in parallel. */
export const program = repeatOperations(async (parallel: number) => {
  const stored = await hash(password, { algorithm: 2, memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 })
  return Array.from({ length: parallel }, () => async () => {
    if (!(await verify(stored, password))) throw new Error('the password did not match')
  })
})

import { answerCalls } from '../harness/program.ts'

answerCalls({ open: async () => {} })

const spin = (): void => {
  const end = performance.now() + 10
  while (performance.now() < end);
  setImmediate(spin)
}

spin()

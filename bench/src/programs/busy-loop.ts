import { answerCalls } from '../harness/program.ts'

answerCalls(async () => {})

const spin = (): void => {
  const end = performance.now() + 10
  while (performance.now() < end);
  setImmediate(spin)
}

spin()

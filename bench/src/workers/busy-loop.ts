import { answerCalls } from '../harness/calls.ts'

answerCalls({})

const SLICE = 10

const spin = (): void => {
  const end = performance.now() + SLICE
  while (performance.now() < end);
  setImmediate(spin)
}

spin()

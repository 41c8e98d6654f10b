import { expect, it } from 'vitest'
import { inStep } from './in-step.ts'

it('has all that came together take a step before any takes the next', async () => {
  const steps: string[] = []
  const operation = async (name: string) => {
    steps.push(`${name}1`)
    await inStep
    steps.push(`${name}2`)
    await inStep
    steps.push(`${name}3`)
  }
  await Promise.all(['a', 'b', 'c'].map(operation))
  expect(steps.join(' ')).toBe('a1 b1 c1 a2 b2 c2 a3 b3 c3')
})

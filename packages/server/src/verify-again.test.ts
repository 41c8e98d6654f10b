import type { Introspector } from '@countersign/core'
import { describe, expect, it } from 'vitest'
import { knownQuestions } from './verify-again.ts'

const ask: Introspector = () => {
  throw new Error('is not asked here')
}
/** A token of this number: only its signature counts, and of that the first 18 bits. */
const tokenOf = (number: number): string => {
  const signature = Buffer.alloc(32)
  signature.writeUIntBE(number * 64, 0, 3)
  return `header.payload.${signature.toString('base64url')}`
}
const headerOf = (token: string): string => `Bearer ${token}`

describe('questions that were answered well', () => {
  it('are remembered from the second time on, for the service that asked', () => {
    const questions = knownQuestions()
    const token = tokenOf(1)
    questions.keep(token, 'billing', ask)
    expect(questions.get(headerOf(token), 'billing')).toBeUndefined()
    questions.keep(token, 'billing', ask)
    expect(questions.get(headerOf(token), 'billing')?.ask).toBe(ask)
    expect(questions.get(headerOf(token), 'shipping')).toBeUndefined()
    expect(questions.get(headerOf(tokenOf(2)), 'billing')).toBeUndefined()
  })

  it('are told by the whole of the token, though another one like it was seen before', () => {
    const questions = knownQuestions()
    const [token, other] = [tokenOf(3), tokenOf(3).replace('payload', 'another')]
    questions.keep(token, 'billing', ask)
    questions.keep(other, 'billing', ask)
    expect(questions.get(headerOf(other), 'billing')?.ask).toBe(ask)
    expect(questions.get(headerOf(token), 'billing')).toBeUndefined()
  })

  it('that were asked once are forgotten, after very many others', () => {
    const questions = knownQuestions()
    for (let number = 0; number <= 2 ** 16; number += 1) questions.keep(tokenOf(number), 'billing', ask)
    questions.keep(tokenOf(0), 'billing', ask)
    expect(questions.get(headerOf(tokenOf(0)), 'billing')).toBeUndefined()
    questions.keep(tokenOf(2 ** 16), 'billing', ask)
    expect(questions.get(headerOf(tokenOf(2 ** 16)), 'billing')).toBeDefined()
  })
})

import type { PendingConfirmation } from '@countersign/client-sdk'
import type { ShownDisplay } from '@countersign/client-sdk/display'
import { signal } from '@preact/signals'
import { stored } from './stored.ts'

/** An answer of this phone. */
export interface Answer {
  readonly id: string
  readonly title: string
  /** The value of the first line, such as the amount. */
  readonly value: string
  readonly outcome: 'approved' | 'rejected' | 'expired' | 'withdrawn'
  readonly at: string
  /** The request to several people of which this was a vote. The page asks the service how the request stands. */
  readonly approvalId?: string
}

/** The most answers that the page keeps. The service keeps the evidence. */
const KEPT = 100

/** The answers of this phone, the latest first. */
export const answers = signal<readonly Answer[]>(stored.read('answers') ?? [])

const keep = (all: readonly Answer[]): void => {
  answers.value = all
  stored.write('answers', all.length === 0 ? undefined : all)
}

export const remember = (
  { confirmationId: id, statement: { approval } }: PendingConfirmation,
  words: ShownDisplay | undefined,
  outcome: Answer['outcome'],
): void => {
  const at = new Date().toISOString()
  const vote = approval === undefined ? {} : { approvalId: approval.id }
  const answer: Answer = { id, title: words?.title ?? '—', value: words?.lines[0]?.value ?? '', outcome, at, ...vote }
  keep([answer, ...answers.peek().filter((other) => other.id !== id)].slice(0, KEPT))
}

/** Clears the list, because the next person on this phone must not read it. */
export const forgetAnswers = (): void => keep([])

import type { PendingConfirmation } from '@countersign/client-sdk'
import { signal } from '@preact/signals'
import { useState } from 'preact/hooks'
import { t } from './words.ts'

/** The reasons that the person has typed and not sent, by request: news of a request, or another screen, must not lose them. */
const reasons = signal<ReadonlyMap<string, string>>(new Map())

/** Returns the id under which a request keeps its reason. A vote and the request to several people have one reason. */
export const reasonIdOf = ({ confirmationId, statement }: PendingConfirmation): string => statement.approval?.id ?? confirmationId

export const reasonOf = (id: string): string => (reasons.value.get(id) ?? '').trim()

export const forgetReason = (id: string): void => {
  reasons.value = new Map([...reasons.peek()].filter(([one]) => one !== id))
}

/** The properties of a field that keeps the reason of a request. */
export const reasonField = (id: string) => ({
  name: 'reason',
  value: reasons.value.get(id) ?? '',
  onInput: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }): void => {
    reasons.value = new Map(reasons.peek()).set(id, currentTarget.value)
  },
})

/** A reason that the person had typed when the request ended, or got all its approvals. */
export const UnsentReason = ({ id }: { readonly id: string }) => {
  // What the person types from then on is in the field of a sheet.
  const [reason] = useState(reasonOf(id))
  return reason === '' ? null : <p class="note">{t('reasonNotSent', { reason })}</p>
}

import type { Instant } from '../../shared/clock.ts'
import { confirmationFields } from '../confirmations/sealed-fields.ts'
import type { Confirmation } from '../records/confirmation.ts'
import { loadConfirmation } from './confirmation-subject.ts'
import { type ConsumeWithin, clientOf, inHostTransaction } from './host-transaction.ts'
import { loadRequest } from './request-subject.ts'
import type { ChosenSubject, SubjectAnswer, UseDeps, Wanted } from './subject.ts'

/** The user of an approval: a host by the core, another service over HTTP, or a gate of an operation. */
export interface Consumer {
  readonly kind: 'host' | 'service' | 'gate'
  /** The one operation that a host names, the name of a service, or the name of a gate. */
  readonly name: string
  /** The idempotency key of the use; `null` for none. */
  readonly key: string | null
}

/** Returns the stored text of a consumer, such as `service:billing`. The kind comes first, so no host can choose it. */
const consumerName = ({ kind, name }: Pick<Consumer, 'kind' | 'name'>): string => `${kind}:${name}`

/** The use of an approval: which one, for which exact action, and by whom. */
export interface Use extends Wanted, ConsumeWithin {
  readonly subject: ChosenSubject
  readonly consumer: Consumer
}

export interface UsedApproval extends SubjectAnswer {
  /** The votes that were used, as they were before the use. */
  readonly votes: readonly Confirmation[]
  /** The receipt of each vote that was used, the earliest first. Empty if the host configured no receipts. */
  readonly receipts: readonly string[]
  readonly usedAt: Instant
}

/** The number of attempts. A change of an approver or of the policy after the check makes the check start again. */
const ATTEMPTS = 3

/**
 * Uses an approval, once: exactly as many votes as its policy needs, or none. The receipts are made first. The same service with
 * the same key, and the same host outside of a transaction of its own, get the same answer and the stored receipts again.
 * @throws the refusals of `loadConfirmation` and `loadRequest`, and the errors of the issuer of receipts
 * @throws TypeError for a `client` on a database whose transactions cannot be shared
 */
export const use = async (given: UseDeps, { subject: chosen, consumer, client: host, ...wanted }: Use): Promise<UsedApproval> => {
  const client = clientOf({ client: host })
  const deps = inHostTransaction(given, client)
  const mayRepeat = consumer.kind === 'service' ? consumer.key !== null : consumer.kind === 'host' && client === undefined
  const [consumedBy, consumedKey] = [consumerName(consumer), consumer.key]
  for (let attempt = 0; ; attempt += 1) {
    const subject = await ('requestId' in chosen ? loadRequest(deps, chosen, wanted) : loadConfirmation(deps, chosen, wanted))
    if (subject.used !== undefined) {
      const isSame = mayRepeat && subject.used.by === consumedBy && subject.used.key === consumedKey
      if (!isSame) throw subject.refusals.used()
      await subject.requireSame()
      const [votes, usedAt] = [await subject.usedVotes(), subject.used.at]
      return { ...subject.answer, votes, receipts: await receiptsAgain(deps, votes, usedAt), usedAt }
    }
    if (attempt === ATTEMPTS) throw await subject.refusals.notApproved()
    const now = deps.clock.now()
    const counted = await subject.count(now)
    if (counted === undefined) continue
    const receipts = await receiptsOf(deps, counted.votes, now)
    const kept = mayRepeat ? receipts : []
    if (await counted.storeUse({ consumedBy, consumedKey, receipts: sealed(deps, counted.votes, kept), now })) {
      for (const _ of counted.votes) deps.observer.confirmation({ actionType: subject.actionType, outcome: 'consumed' })
      return { ...subject.answer, votes: counted.votes, receipts, usedAt: now }
    }
  }
}

const receiptsOf = ({ storage, issueReceipt }: UseDeps, votes: readonly Confirmation[], issuedAt: Instant) =>
  Promise.all(issueReceipt === undefined ? [] : votes.map((vote) => issueReceipt(vote, { issuedAt, stores: storage })))

const sealed = (deps: UseDeps, votes: readonly Confirmation[], receipts: readonly string[]) =>
  new Map(
    receipts.map((receipt, at) => {
      const { id } = votes[at] as Confirmation
      return [id, confirmationFields.consumedReceipt.seal(deps, id, receipt)]
    }),
  )

/** Returns the receipts of the first use. It stored none if the host had no receipts at that time. */
const receiptsAgain = async (deps: UseDeps, votes: readonly Confirmation[], usedAt: Instant): Promise<readonly string[]> =>
  (
    await Promise.all(
      votes.map(async (vote) =>
        vote.consumedReceipt === null
          ? receiptsOf(deps, [vote], usedAt)
          : [confirmationFields.consumedReceipt.open(deps, vote.id, vote.consumedReceipt)],
      ),
    )
  ).flat()

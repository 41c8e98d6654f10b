import type { PendingConfirmation } from '@countersign/client-sdk'
import { Icon } from '../icons.tsx'
import { Heading, State } from '../parts.tsx'
import { reasonIdOf, UnsentReason } from '../reasons.tsx'
import { isOwnRequest, known, type Outcome, type Settled, settled, wordsOf } from '../waiting-requests.ts'
import { t, type Word } from '../words.ts'
import { Gone, NextSteps } from './next-steps.tsx'
import { Question } from './question.tsx'
import { Shared } from './shared-request.tsx'

const outcomeWords = {
  approved: ['approvedHere', 'approvedElsewhere'],
  rejected: ['rejectedHere', 'rejectedElsewhere'],
  expired: ['expired', 'expired'],
  withdrawn: ['withdrawn', 'withdrawn'],
} as const satisfies Record<Settled['outcome'], readonly [Word, Word]>

const signs = {
  approved: { icon: 'check', kind: 'good' },
  rejected: { icon: 'cross', kind: 'bad' },
  expired: { icon: 'clock', kind: 'note' },
  withdrawn: { icon: 'undo', kind: 'note' },
} as const

/** What a person does whose account somebody else may use. */
const AfterReport = ({ sessionEnded }: { readonly sessionEnded: boolean | undefined }) => (
  <>
    {sessionEnded !== undefined && (
      <p class={sessionEnded ? 'good' : 'note'}>{t(sessionEnded ? 'notMeDone' : 'notMeNoSession')}</p>
    )}
    <h2>{t('nextSteps')}</h2>
    <ul class="items rows">
      {(
        [
          ['sessions', 'phone', 'checkSessions', 'checkSessionsWhy'],
          ['password', 'key', 'changePassword', 'changePasswordWhy'],
          ['lock', 'lock', 'lock', 'lockWhy'],
        ] as const
      ).map(([place, icon, name, why]) => (
        <li key={place}>
          <a class="item" href={`#/account/${place}`}>
            <Icon name={icon} />
            <span>
              <span class="title">{t(name)}</span>
              <span class="quiet">{t(why)}</span>
            </span>
          </a>
        </li>
      ))}
    </ul>
  </>
)

/** Says what an outcome means. People are not told that they themselves learn of it. */
const explanationOf = (word: (typeof outcomeWords)[Outcome][number], request: PendingConfirmation): Word => {
  const isVouching = request.actionType === 'device_register'
  if (word === 'rejectedHere' && isVouching) return 'vouchRejected'
  if (word === 'approvedHere' && isVouching) return 'vouchApproved'
  return word === 'approvedHere' && isOwnRequest(request) ? 'approvedOwnWhy' : `${word}Why`
}

const Result = ({ request, result }: { readonly request: PendingConfirmation; readonly result: Settled }) => {
  const { outcome, here, report } = result
  const word = outcomeWords[outcome][here ? 0 : 1]
  const words = wordsOf(request)
  return (
    <>
      <State {...signs[outcome]}>
        <Heading>{t(word)}</Heading>
        <p class="quiet">{t(explanationOf(word, request), { requester: request.statement.requester.name })}</p>
      </State>
      <UnsentReason id={reasonIdOf(request)} />
      <div class="words" lang={words?.language} dir={words?.direction}>
        {words?.title}
        <strong>{words?.lines[0]?.value}</strong>
      </div>
      {report !== undefined && <AfterReport sessionEnded={report.sessionEnded} />}
      <div class="stack">
        <NextSteps receipt={outcome === 'approved' ? request.confirmationId : undefined} />
      </div>
    </>
  )
}

/** One request: the question, or how it stands. A host links to it by the id of a confirmation or of an approval request. */
export const Request = ({ id }: { readonly id: string }) => {
  const request = known.value.get(id) ?? [...known.value.values()].find(({ statement }) => statement.approval?.id === id)
  const approvalId = id.startsWith('appr_') ? id : request?.statement.approval?.id
  if (approvalId !== undefined) return <Shared approvalId={approvalId} vote={request} />
  const result = settled.value.get(request?.confirmationId ?? id)
  if (request !== undefined && result !== undefined) return <Result request={request} result={result} />
  if (request !== undefined) return <Question request={request} />
  return <Gone />
}

import { CountersignError, type PendingConfirmation } from '@countersign/client-sdk'
import { act, PageError } from '../action-outcome.ts'
import { showDate } from '../dates.ts'
import { Icon } from '../icons.tsx'
import { Action, Heading, State } from '../parts.tsx'
import { client } from '../phone.ts'
import { forgetReason, reasonField, reasonOf, UnsentReason } from '../reasons.tsx'
import { approversOf, missingGroups, missingIn, nameOf, type SharedRequest, useSharedRequest } from '../shared-request.ts'
import { Sheet } from '../sheet.tsx'
import { TimeLeft } from '../time.tsx'
import { settled, waiting, wordsOf } from '../waiting-requests.ts'
import { t } from '../words.ts'
import { Lines } from './lines.tsx'
import { Gone, NextSteps, Unread, useKeptTitle } from './next-steps.tsx'
import { Question } from './question.tsx'

/** The people who have approved, and what is missing. */
const Votes = ({ request }: { readonly request: SharedRequest }) => {
  const { votes = [], status, count } = request
  const given = votes.filter(({ counts }) => counts).length
  return (
    <section class="card votes" aria-label={t('voters')}>
      <p>
        {t('votes', { given: Math.min(given, count), count })} {status === 'pending' && missingGroups(request)}
      </p>
      {votes.length > 0 && (
        <ul>
          {votes.map((vote) => (
            <li key={vote.id}>
              <Icon name={vote.counts ? 'check' : 'warning'} />
              <span class="voter">
                <bdi>{nameOf(vote)}</bdi>
                <span class="quiet small">
                  {showDate(vote.at)}
                  {!vote.counts && status !== 'rejected' && ` · ${t('doesNotCount')}`}
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

const SignedWords = ({ request }: { readonly request: SharedRequest }) => {
  const words = request.display && wordsOf({ display: request.display })
  useKeptTitle(words?.title)
  return (
    words && (
      <div class="words" lang={words.language} dir={words.direction}>
        <h2 class="quiet">{words.title}</h2>
        <Lines lines={words.lines} />
      </div>
    )
  )
}

const Stop = ({ approvalId, onStopped }: { readonly approvalId: string; readonly onStopped: () => void }) => (
  <Sheet button={t('stop')} kind="danger" icon="cross" title={t('stopAsk')}>
    <p>{t('stopWhy')}</p>
    <form
      onSubmit={(event) => {
        event.preventDefault()
        event.currentTarget.closest('dialog')?.close()
        const reason = reasonOf(approvalId)
        void act(async () => {
          if (reason === '') throw new PageError(t('stopReasonMissing'))
          await client.approvalRequests.stop({ approvalId, reason }).catch((error: unknown) => {
            const isOver = error instanceof CountersignError && [409, 410].includes(error.status ?? 0)
            throw isOver ? new PageError(t('stopTooLate'), { cause: error }) : error
          })
          forgetReason(approvalId)
        }).then(onStopped)
      }}
    >
      <label class="field">
        {t('stopReason')}
        <textarea {...reasonField(approvalId)} rows={3} maxLength={500} required />
      </label>
      <button type="submit" class="main destroy">
        {t('stopConfirm')}
      </button>
    </form>
  </Sheet>
)

/** How a request stands, in a heading and a sentence. */
const describe = (request: SharedRequest, hasApproved: boolean, isOwn: boolean) => {
  const { status, stoppedBy, reason, ownId, withdrawnAt } = request
  const names = approversOf(request)
  const missing = missingIn(request)
  if (status === 'approved') return { sign: 'check', kind: 'good', title: t('enough', { names }), text: t('enoughWhy') } as const
  if (status === 'redeemed')
    return { sign: 'check', kind: 'good', title: t('requestRedeemed'), text: t('usedBy', { names }) } as const
  if (status === 'rejected') {
    if (stoppedBy === null || stoppedBy === undefined) {
      return { sign: 'cross', kind: 'bad', title: t('rejectedHere'), text: t('endedByService') } as const
    }
    const values = { name: nameOf(stoppedBy), time: showDate(stoppedBy.at) }
    const title = stoppedBy.id === ownId ? t('rejectedByYou') : t('rejectedBy', values)
    const text = reason ? t('rejectedReason', { ...values, reason }) : t('rejectedNoReason', values)
    return { sign: 'cross', kind: 'bad', title, text } as const
  }
  if (status === 'expired') {
    const word = withdrawnAt === null ? 'expired' : 'withdrawn'
    return { sign: withdrawnAt === null ? 'clock' : 'undo', kind: 'note', title: t(word), text: t(`${word}Why`) } as const
  }
  const more = missing === 1 ? t('oneMore') : t('moreNeeded', { count: missing })
  if (hasApproved) return { sign: 'check', kind: 'good', title: t('youApproved', { more }), text: t('youApprovedWhy') } as const
  return { sign: 'people', kind: 'note', title: t('requestPending'), text: isOwn ? more : t('othersAsked') } as const
}

const Withdraw = ({ request, onDone }: { readonly request: SharedRequest; readonly onDone: () => void }) => (
  <Action
    icon="undo"
    action={async () => {
      await client.approvalRequests.withdraw({ approvalId: request.approvalId })
      onDone()
    }}
  >
    {t('withdraw')}
  </Action>
)

interface SharedProps {
  readonly approvalId: string
  readonly vote: PendingConfirmation | undefined
}

/** A request to several people, for the person who asked and those who were asked: the question, or how the request stands. */
export const Shared = ({ approvalId, vote }: SharedProps) => {
  const answer = vote && settled.value.get(vote.confirmationId)
  const [request, readAgain] = useSharedRequest(approvalId, answer?.outcome)
  const isWaiting = vote !== undefined && waiting.value?.some(({ confirmationId }) => confirmationId === vote.confirmationId)
  if (isWaiting && (request === undefined || request?.status === 'pending')) {
    return <Question request={vote}>{request && <Votes request={request} />}</Question>
  }
  if (request === undefined) return <Unread />
  if (request === null) return <Gone />
  const { requestedBy, status, votes = [], ownId } = request
  const isOwn = requestedBy?.id === ownId
  const hasApproved = answer?.outcome === 'approved' || votes.some(({ id }) => id === ownId)
  const { sign, kind, title, text } = describe(request, hasApproved, isOwn)
  return (
    <>
      {/* A new state is a new screen, which screen readers read from its heading. */}
      <div key={`${status} ${hasApproved}`}>
        <State icon={sign} kind={kind}>
          <Heading>{title}</Heading>
          <p class="quiet">{text}</p>
          {(status === 'pending' || status === 'approved') && <TimeLeft until={request.expiresAt} />}
        </State>
        {status !== 'pending' && <UnsentReason id={approvalId} />}
        <SignedWords request={request} />
        <Votes request={request} />
      </div>
      {/* An open sheet stays when the last approval arrives: the request can still be stopped. */}
      <div class="stack">
        <NextSteps receipt={answer?.outcome === 'approved' ? vote?.confirmationId : undefined} />
        {isOwn && status === 'pending' && <Withdraw request={request} onDone={readAgain} />}
        {!isOwn && (status === 'approved' || (status === 'pending' && hasApproved)) && (
          <Stop approvalId={approvalId} onStopped={readAgain} />
        )}
      </div>
    </>
  )
}

import type { PendingConfirmation } from '@countersign/client-sdk'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { act, busy, PageError } from '../action-outcome.ts'
import { nameOfAgent } from '../agents.ts'
import { approve } from '../answers.ts'
import { showDate } from '../dates.ts'
import { Icon } from '../icons.tsx'
import { Heading, State } from '../parts.tsx'
import { now, TimeLeft } from '../time.tsx'
import { asking, known, type Settled, settled, waiting, wordsOf } from '../waiting-requests.ts'
import { t, type Word } from '../words.ts'
import { Lines } from './lines.tsx'
import { Refuse } from './refuse.tsx'
import { Shared } from './shared-request.tsx'

export const outcomeWords = {
  approved: ['approvedHere', 'approvedElsewhere'],
  rejected: ['rejectedHere', 'rejectedElsewhere'],
  expired: ['expired', 'expired'],
  withdrawn: ['withdrawn', 'withdrawn'],
} as const satisfies Record<Settled['outcome'], readonly [Word, Word]>

/** The picture of each outcome. */
const signs = {
  approved: { icon: 'check', kind: 'good' },
  rejected: { icon: 'cross', kind: 'bad' },
  expired: { icon: 'clock', kind: 'note' },
  withdrawn: { icon: 'undo', kind: 'note' },
} as const

/** The next request, or the inbox; and the receipt of an approval. */
export const NextSteps = ({ receipt }: { readonly receipt?: string | undefined }) => {
  const next = waiting.value?.[0]
  return (
    <>
      {next === undefined ? (
        <a class="button main" href="#/">
          {t('toInbox')}
        </a>
      ) : (
        <a class="button main" href={`#/request/${encodeURIComponent(next.confirmationId)}`}>
          {t('nextRequest')}
        </a>
      )}
      {receipt !== undefined && (
        <a class="button plain" href={`#/receipt/${encodeURIComponent(receipt)}`}>
          {t('seeReceipt')}
        </a>
      )}
    </>
  )
}

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

/** Says how a request ended, and what happens next. */
const Result = ({ request, result }: { readonly request: PendingConfirmation; readonly result: Settled }) => {
  const { outcome, here, report } = result
  const word = outcomeWords[outcome][here ? 0 : 1]
  const words = wordsOf(request)
  return (
    <>
      <State {...signs[outcome]}>
        <Heading>{t(word)}</Heading>
        <p class="quiet">{t(`${word}Why`, { requester: request.statement.requester.name })}</p>
      </State>
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

interface QuestionProps {
  readonly request: PendingConfirmation
  /** What others have answered. */
  readonly children?: ComponentChildren
}

/** The words of a request, and the buttons that answer it. */
export const Question = ({ request, children }: QuestionProps) => {
  const [number, setNumber] = useState('')
  const [folded, setFolded] = useState(0)
  const { confirmationId, expiresAt, numberMatching, requestedFrom, statement } = request
  const words = wordsOf(request)
  const isOver = Date.parse(expiresAt) <= now.value
  const delegator = statement.approval?.delegatedBy
  // The number decides on a new phone. Its long details, such as the fingerprint of its key, are for experts.
  const isVouching = numberMatching && request.actionType === 'device_register'
  const onFold = (change: 1 | -1): void => setFolded((count) => (isVouching ? 0 : count + change))
  const answer = async (): Promise<void> => {
    if (folded > 0) throw new PageError(t('unfoldFirst'))
    if (numberMatching && !/^\d\d$/.test(number)) throw new PageError(t('numberMissing'))
    await approve(request, numberMatching ? number : undefined)
  }
  return (
    // Only a press of the button approves: Enter in a field sends no answer.
    <form class="question" onSubmit={(event) => event.preventDefault()}>
      <a class="back" href="#/">
        <Icon name="back" />
        {t('back')}
      </a>
      <TimeLeft until={expiresAt} />
      {words === undefined ? (
        <Heading>{t('noWords')}</Heading>
      ) : (
        <div class="words" lang={words.language} dir={words.direction}>
          <Heading>{words.title}</Heading>
          <Lines lines={words.lines} onFold={onFold} />
        </div>
      )}
      {children}
      {delegator !== undefined && <p class="card">{t('delegated', { name: delegator.name })}</p>}
      {numberMatching && (
        <label class="field card">
          {t('number')}
          <input
            class="number"
            name="matchNumber"
            inputMode="numeric"
            autocomplete="off"
            maxLength={2}
            aria-describedby="number-why"
            value={number}
            onInput={(event) => setNumber(event.currentTarget.value)}
          />
          <span id="number-why" class="quiet">
            {t('numberWhy')}
          </span>
        </label>
      )}
      <p class="quiet">{t('next', { requester: statement.requester.name })}</p>
      {requestedFrom !== null && (
        <p class="quiet small">
          {t('askedFrom', {
            time: showDate(requestedFrom.at),
            address: requestedFrom.address ?? t('unknownAddress'),
            agent: nameOfAgent(requestedFrom.userAgent),
          })}
        </p>
      )}
      <div class="answers">
        <Refuse request={request} />
        <button
          type="button"
          class="main"
          disabled={words === undefined || isOver}
          aria-disabled={busy.value || folded > 0}
          onClick={() => void act(answer)}
        >
          {t('approve')}
        </button>
      </div>
      <p role="status" class="note">
        {asking.value === confirmationId ? t('askingAgain') : ''}
      </p>
    </form>
  )
}

export const Gone = () => (
  <>
    <Heading>{waiting.value === undefined ? t('loading') : t('gone')}</Heading>
    <a class="button main" href="#/">
      {t('toInbox')}
    </a>
  </>
)

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

import type { PendingConfirmation } from '@countersign/client-sdk'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { act, busy, PageError } from '../action-outcome.ts'
import { nameOfAgent } from '../agents.ts'
import { approve } from '../answers.ts'
import { showDate } from '../dates.ts'
import { Icon } from '../icons.tsx'
import { Heading } from '../parts.tsx'
import { TimeLeft } from '../time.tsx'
import { asking, isOwnRequest, wordsOf } from '../waiting-requests.ts'
import { t } from '../words.ts'
import { Lines } from './lines.tsx'
import { useKeptTitle } from './next-steps.tsx'
import { Refuse } from './refuse.tsx'
import { Vouching } from './vouching.tsx'

interface QuestionProps {
  readonly request: PendingConfirmation
  /** What others have answered. */
  readonly children?: ComponentChildren
}

export const Question = ({ request, children }: QuestionProps) => {
  const [number, setNumber] = useState('')
  const [folded, setFolded] = useState(0)
  const { confirmationId, expiresAt, numberMatching, requestedFrom, statement } = request
  const words = wordsOf(request)
  const delegator = statement.approval?.delegatedBy
  const isVouching = numberMatching && request.actionType === 'device_register'
  const isNumbered = !numberMatching || /^\d\d$/.test(number)
  const onFold = (change: 1 | -1): void => setFolded((count) => count + change)
  const answer = async (): Promise<void> => {
    if (folded > 0) throw new PageError(t('unfoldFirst'))
    if (!isNumbered) throw new PageError(t('numberMissing'))
    await approve(request, numberMatching ? number : undefined)
  }
  // After a reload without a connection, the page still knows which request is open.
  useKeptTitle(words?.title)
  const field = numberMatching && (
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
  )
  return (
    // Only a press of the button approves: Enter in a field sends no answer.
    <form class="question" onSubmit={(event) => event.preventDefault()}>
      <div class="bar">
        <a class="back" href="#/">
          <Icon name="back" />
          {t('back')}
        </a>
        <TimeLeft until={expiresAt} />
      </div>
      {words === undefined ? (
        <Heading>{t('noWords')}</Heading>
      ) : isVouching ? (
        <Vouching request={request} words={words}>
          {field}
        </Vouching>
      ) : (
        <div class="words" lang={words.language} dir={words.direction}>
          <Heading>{words.title}</Heading>
          <Lines lines={words.lines} onFold={onFold} />
        </div>
      )}
      {children}
      {delegator !== undefined && <p class="card">{t('delegated', { name: delegator.name })}</p>}
      {!isVouching && field}
      {!isVouching && (
        <p class="quiet">{isOwnRequest(request) ? t('nextOwn') : t('next', { requester: statement.requester.name })}</p>
      )}
      {!isVouching && requestedFrom !== null && (
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
          disabled={words === undefined}
          aria-disabled={busy.value || folded > 0 || (isVouching && !isNumbered)}
          onClick={() => void act(answer)}
        >
          {t('approve')}
        </button>
        {/* Covers the buttons, which keep the focus. */}
        <p role="status" class="busy">
          {busy.value ? t(asking.value === confirmationId ? 'askingAgain' : 'loading') : ''}
        </p>
      </div>
    </form>
  )
}

import { CountersignError, type PendingConfirmation } from '@countersign/client-sdk'
import { useEffect, useState } from 'preact/hooks'
import { act, busy, isLost, PageError, showFailure } from '../action-outcome.ts'
import { nameOfAgent } from '../agents.ts'
import { approve, disown, reject, withdraw } from '../answers.ts'
import { showDate } from '../dates.ts'
import { Icon } from '../icons.tsx'
import { Action, Field, Heading, State } from '../parts.tsx'
import { client } from '../phone.ts'
import { now, TimeLeft } from '../time.tsx'
import { asking, known, type Settled, settled, waiting, wordsOf } from '../waiting-requests.ts'
import { listOf, t, type Word } from '../words.ts'

type ApprovalRequest = Awaited<ReturnType<typeof client.approvalRequests.read>>

/** Shows the number of people who have approved, and for each permission the number of approvals that are missing. */
const describeVotes = ({ groups, count }: Pick<ApprovalRequest, 'groups' | 'count'>): string => {
  const given = groups.reduce((sum, { approvals }) => sum + approvals, 0)
  const missing = groups.flatMap(({ permission, count: needed, approvals }) =>
    approvals < needed ? [t('missingOf', { count: needed - approvals, permission })] : [],
  )
  const stillMissing = missing.length === 0 ? '' : t('votesMissing', { missing: listOf(missing) })
  return `${t('votes', { given, count })} ${stillMissing} `
}

const Votes = ({ request }: { readonly request: PendingConfirmation }) => {
  const { approval } = request.statement
  const [groups, setGroups] = useState<ApprovalRequest['groups']>()
  useEffect(() => {
    if (approval === undefined) return
    client.approvalRequests.read({ approvalId: approval.id }).then(
      (state) => setGroups(state.groups),
      () => {},
    )
  }, [approval?.id])
  if (approval === undefined) return null
  const { count, delegatedBy } = approval
  return (
    <p class="card">
      {groups !== undefined && describeVotes({ groups, count })}
      {delegatedBy !== undefined && t('delegated', { name: delegatedBy.name })}
    </p>
  )
}

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

/** Says how a request ended, and what happens next. */
const Result = ({ request, result: { outcome, here } }: { readonly request: PendingConfirmation; readonly result: Settled }) => {
  const word = outcomeWords[outcome][here ? 0 : 1]
  const next = waiting.value?.[0]
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
      {outcome === 'approved' && <Votes request={request} />}
      <div class="stack">
        {next === undefined ? (
          <a class="button main" href="#/">
            {t('toInbox')}
          </a>
        ) : (
          <a class="button main" href={`#/request/${encodeURIComponent(next.confirmationId)}`}>
            {t('nextRequest')}
          </a>
        )}
        {outcome === 'approved' && (
          <a class="button plain" href={`#/receipt/${encodeURIComponent(request.confirmationId)}`}>
            {t('seeReceipt')}
          </a>
        )}
      </div>
    </>
  )
}

const Question = ({ request }: { readonly request: PendingConfirmation }) => {
  const [number, setNumber] = useState('')
  const { confirmationId, expiresAt, numberMatching, requestedFrom, statement } = request
  const words = wordsOf(request)
  const isOver = Date.parse(expiresAt) <= now.value
  const answer = async (): Promise<void> => {
    if (numberMatching && !/^\d\d$/.test(number)) throw new PageError(t('numberMissing'))
    await approve(request, numberMatching ? number : undefined)
  }
  const isOwn = statement.requester.kind === 'user' && statement.requester.id === statement.subject.id
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
          <dl>
            {words.lines.map(({ label, value, lead }, index) => (
              // The lines of a request never change, and labels may repeat.
              <div key={index} class={lead ? 'lead' : ''}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </div>
      )}
      <Votes request={request} />
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
      <Field name="reason" label={t('reason')} optional />
      <div class="stack">
        <Action kind="danger" action={() => disown(request)}>
          {t('notMe')}
        </Action>
        {isOwn && <Action action={() => withdraw(request)}>{t('withdraw')}</Action>}
      </div>
      <div class="answers">
        <button
          type="button"
          class="reject"
          aria-disabled={busy.value}
          onClick={(event) => {
            const reason = new FormData(event.currentTarget.form ?? undefined).get('reason')
            void act(() => reject(request, typeof reason === 'string' ? reason.trim() : ''))
          }}
        >
          {t('reject')}
        </button>
        <button
          type="button"
          class="main"
          disabled={words === undefined || isOver}
          aria-disabled={busy.value}
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

const Gone = () => (
  <>
    <Heading>{waiting.value === undefined ? t('loading') : t('gone')}</Heading>
    <a class="button main" href="#/">
      {t('toInbox')}
    </a>
  </>
)

const requestWords = {
  pending: 'requestPending',
  redeemed: 'requestRedeemed',
  approved: 'approvedHere',
  rejected: 'rejectedHere',
  expired: 'expired',
} as const satisfies Record<ApprovalRequest['status'], Word>

/** A request to several people, as the person who asked sees it. The service returns its state, without the signed words. */
const OwnRequest = ({ id: approvalId }: { readonly id: string }) => {
  const [state, setState] = useState<ApprovalRequest | null>()
  const onFailure = (error: unknown): void => {
    if (error instanceof CountersignError && error.status === 404) setState(null)
    else if (!isLost(error)) showFailure(error)
  }
  useEffect(
    () =>
      client.events.on((event) => {
        if (event.type === 'read_again' || ('id' in event && event.id === approvalId))
          client.approvalRequests.read({ approvalId }).then(setState, onFailure)
      }),
    [approvalId],
  )
  const takeBack = async (): Promise<void> => {
    const withdrawn = client.approvalRequests.withdraw({ approvalId }).catch((error: unknown) => {
      throw error instanceof CountersignError && error.status === 403 ? new PageError(t('notOwn'), { cause: error }) : error
    })
    setState(await withdrawn)
  }
  if (state === null) return <Gone />
  return (
    <>
      <Heading>{t('ownRequest')}</Heading>
      {state === undefined ? (
        <p>{t('loading')}</p>
      ) : (
        <>
          <p role="status">
            <span class={`badge ${state.status}`}>
              {t(state.withdrawnAt === null ? requestWords[state.status] : 'withdrawn')}
            </span>
          </p>
          <p class="card">{describeVotes(state)}</p>
          {state.status === 'pending' && (
            <>
              <TimeLeft until={state.expiresAt} />
              <Action action={takeBack}>{t('withdraw')}</Action>
            </>
          )}
        </>
      )}
    </>
  )
}

/** One request: the question, or how it ended. A host links to it by the id of a confirmation or of an approval request. */
export const Request = ({ id }: { readonly id: string }) => {
  const request = known.value.get(id) ?? [...known.value.values()].find(({ statement }) => statement.approval?.id === id)
  const result = settled.value.get(request?.confirmationId ?? id)
  if (request === undefined && waiting.value !== undefined && id.startsWith('appr_')) return <OwnRequest id={id} />
  if (request !== undefined && result !== undefined) return <Result request={request} result={result} />
  if (request !== undefined) return <Question request={request} />
  return <Gone />
}

import type { CheckedReceipt, ReceiptVerdict } from '@countersign/client-sdk/receipt'
import { verifyReceipt } from '@countersign/client-sdk/receipt'
import { useEffect, useState } from 'preact/hooks'
import { act, notice } from '../action-outcome.ts'
import { showDate } from '../dates.ts'
import { Icon } from '../icons.tsx'
import { Action, Heading, State } from '../parts.tsx'
import { client, phone } from '../phone.ts'
import { type Outcome, waiting, wordsOf } from '../waiting-requests.ts'
import { language, t, type Word } from '../words.ts'
import { Lines } from './lines.tsx'

type Entry = Awaited<ReturnType<typeof client.confirmations.list>>['confirmations'][number]

const stateOf = ({ status, withdrawnAt }: Entry): Outcome | 'pending' => (withdrawnAt === null ? status : 'withdrawn')

const stateWords = {
  pending: 'pending',
  approved: 'approvedHere',
  rejected: 'rejectedHere',
  expired: 'expired',
  withdrawn: 'withdrawn',
} as const satisfies Record<Outcome | 'pending', Word>

/** The word of the state. Others may have rejected a request since this person approved it. */
const stateWord = (entry: Entry): Word => {
  const state = stateOf(entry)
  return state === 'approved' && entry.approvalId !== null ? 'youApprovedBadge' : stateWords[state]
}

/** Where an entry leads: a decided vote to its request, another approval to its receipt, a request that waits to its screen. */
const placeOf = (entry: Entry): string | undefined => {
  const state = stateOf(entry)
  if (entry.approvalId !== null && state !== 'pending') return `#/request/${encodeURIComponent(entry.approvalId)}`
  if (state === 'approved') return `#/receipt/${encodeURIComponent(entry.confirmationId)}`
  const isWaiting = waiting.value?.some(({ confirmationId }) => confirmationId === entry.confirmationId) === true
  return state === 'pending' && isWaiting ? `#/request/${encodeURIComponent(entry.confirmationId)}` : undefined
}

/** All words of an entry that a person may look for, in lower case. */
const textOf = (entry: Entry): string => {
  const words = wordsOf(entry)
  const lines = words?.lines.flatMap(({ label, value }) => [label, value]) ?? []
  return [words?.title, ...lines, t(stateWord(entry))].join(' ').toLocaleLowerCase(language.value)
}

const Item = ({ entry }: { readonly entry: Entry }) => {
  const [words, state, place] = [wordsOf(entry), stateOf(entry), placeOf(entry)]
  const content = (
    <>
      <span lang={words?.language} dir={words?.direction}>
        <span class="title">{words?.title ?? t('noWords')}</span>
        <strong>{words?.lines[0]?.value}</strong>
        <span class="quiet" lang={language.value} dir="auto">
          {showDate(entry.createdAt)}
        </span>
      </span>
      <span class={`badge ${state === 'approved' && entry.approvalId !== null ? '' : state}`}>{t(stateWord(entry))}</span>
    </>
  )
  return (
    <li>
      {place === undefined ? (
        <div class="item">{content}</div>
      ) : (
        <a class="item" href={place}>
          {content}
        </a>
      )}
    </li>
  )
}

/** What the person was asked, as the service lists it. The payloads are encrypted there, so the page searches what it has read. */
export const History = () => {
  const [entries, setEntries] = useState<readonly Entry[]>()
  const [cursor, setCursor] = useState<string | null>(null)
  const [search, setSearch] = useState('')
  const load = async (after?: string): Promise<void> => {
    const { confirmations, nextCursor } = await client.confirmations.list(after === undefined ? {} : { cursor: after })
    setEntries((read) => [...(after === undefined ? [] : (read ?? [])), ...confirmations])
    setCursor(nextCursor)
  }
  useEffect(() => void act(load), [])
  const wanted = search.trim().toLocaleLowerCase(language.value)
  const found = entries?.filter((entry) => textOf(entry).includes(wanted))
  return (
    <>
      <Heading>{t('history')}</Heading>
      {entries?.length === 0 && (
        <State icon="history">
          <h2>{t('historyNone')}</h2>
          <p class="quiet">{t('historyNoneWhy')}</p>
        </State>
      )}
      {entries !== undefined && entries.length > 0 && (
        <label class="field">
          {t('historySearch')}
          <input type="search" value={search} onInput={({ currentTarget }) => setSearch(currentTarget.value)} />
        </label>
      )}
      <p role="status" class="quiet">
        {entries === undefined && notice.value === undefined ? t('loading') : ''}
        {wanted !== '' && found?.length === 0 ? t('historyNotFound') : ''}
      </p>
      <ul class="items">
        {found?.map((entry) => (
          <Item key={entry.confirmationId} entry={entry} />
        ))}
      </ul>
      {cursor !== null && <Action action={() => load(cursor)}>{t('historyMore')}</Action>}
    </>
  )
}

const verdicts = {
  genuine: ['receiptGenuine', 'approved'],
  partial: ['receiptPartial', 'expired'],
  refused: ['receiptRefused', 'rejected'],
} as const satisfies Record<ReceiptVerdict['verdict'], readonly [Word, string]>

/** Says which device has signed. Nobody reads its id, which stands in the saved file. */
const deviceWord = ({ kind, id }: CheckedReceipt['device']): Word => {
  if (kind === 'passkey') return 'aPasskey'
  return id === phone.peek()?.deviceId ? 'thisDevice' : 'otherDevice'
}

const factsOf = ({ confirmation, approver, device, issuer }: CheckedReceipt): readonly (readonly [Word, string])[] => [
  ['receiptApproved', showDate(confirmation.approvedAt)],
  ...(approver === undefined ? [] : [['receiptBy', `${approver.name} ${approver.email}`.trim()] as const]),
  ['receiptDevice', t(deviceWord(device))],
  ['receiptIssuer', issuer],
]

const Checked = ({ verdict }: { readonly verdict: ReceiptVerdict }) => {
  const [word, look] = verdicts[verdict.verdict]
  const words = 'statement' in verdict && verdict.statement ? wordsOf(verdict.statement) : undefined
  return (
    <>
      <p role="status">
        <strong class={`badge ${look}`}>{t(word)}</strong>
      </p>
      <p class="quiet">{verdict.verdict === 'refused' ? verdict.reason : t('receiptGenuineWhy')}</p>
      {words !== undefined && (
        <div class="words" lang={words.language} dir={words.direction}>
          <h2>{words.title}</h2>
          <Lines lines={words.lines} />
        </div>
      )}
      {verdict.verdict !== 'refused' && <Lines lines={factsOf(verdict).map(([label, value]) => ({ label: t(label), value }))} />}
    </>
  )
}

const save = (file: File): void => {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = file.name
  link.click()
  URL.revokeObjectURL(link.href)
}

/** The receipt of an approval, verified by this page with the keys of the service. */
export const Receipt = ({ id }: { readonly id: string }) => {
  const [shown, setShown] = useState<{ readonly receipt: string; readonly verdict: ReceiptVerdict }>()
  useEffect(() => {
    const load = async (): Promise<void> => {
      const [{ receipt }, keys] = await Promise.all([
        client.confirmations.receipt({ confirmationId: id }),
        client.receipts.keys(),
      ])
      setShown({ receipt, verdict: await verifyReceipt(receipt, { keys }) })
    }
    void act(load)
  }, [id])
  const file = shown && new File([shown.receipt], `${id}.receipt.txt`, { type: 'text/plain' })
  return (
    <>
      <a class="back" href="#/history">
        <Icon name="back" />
        {t('back')}
      </a>
      <Heading>{t('receipt')}</Heading>
      {shown !== undefined && <Checked verdict={shown.verdict} />}
      {shown === undefined && notice.value === undefined && <p>{t('receiptChecking')}</p>}
      {file !== undefined && (
        <div class="stack">
          <Action icon="save" action={async () => save(file)}>
            {t('save')}
          </Action>
          {navigator.canShare?.({ files: [file] }) === true && (
            <Action icon="share" action={() => navigator.share({ files: [file] }).catch(() => {})}>
              {t('share')}
            </Action>
          )}
        </div>
      )}
    </>
  )
}

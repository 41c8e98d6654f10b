import type { CheckedReceipt, ReceiptVerdict } from '@countersign/client-sdk/receipt'
import { verifyReceipt } from '@countersign/client-sdk/receipt'
import { useEffect, useState } from 'preact/hooks'
import { act, notice } from '../action-outcome.ts'
import { showDate } from '../dates.ts'
import { Icon } from '../icons.tsx'
import { type Answer, answers } from '../kept-answers.ts'
import { Action, Heading, State } from '../parts.tsx'
import { client } from '../phone.ts'
import { wordsOf } from '../waiting-requests.ts'
import { t, type Word } from '../words.ts'
import { Lines } from './lines.tsx'
import { outcomeWords } from './request.tsx'

const AnswerItem = ({ title, value, outcome, at, approvalId }: Answer) => (
  <>
    <span>
      <span class="title">{title}</span>
      <strong dir="auto">{value}</strong>
      <span class="quiet">{showDate(at)}</span>
    </span>
    {approvalId !== undefined && outcome === 'approved' ? (
      // Others may have rejected the request since.
      <span class="badge">{t('youApprovedBadge')}</span>
    ) : (
      <span class={`badge ${outcome}`}>{t(outcomeWords[outcome][0])}</span>
    )}
  </>
)

/** The list of the answers of this phone. */
export const History = () => (
  <>
    <Heading>{t('history')}</Heading>
    {answers.value.length === 0 && (
      <State icon="history">
        <h2>{t('historyNone')}</h2>
        <p class="quiet">{t('historyNoneWhy')}</p>
      </State>
    )}
    <ul class="items">
      {answers.value.map((answer) => (
        <li key={answer.id}>
          {answer.outcome === 'approved' || answer.approvalId !== undefined ? (
            <a
              class="item"
              href={`#/${answer.approvalId === undefined ? 'receipt' : 'request'}/${encodeURIComponent(answer.approvalId ?? answer.id)}`}
            >
              <AnswerItem {...answer} />
            </a>
          ) : (
            <div class="item">
              <AnswerItem {...answer} />
            </div>
          )}
        </li>
      ))}
    </ul>
  </>
)

const verdicts = {
  genuine: ['receiptGenuine', 'approved'],
  partial: ['receiptPartial', 'expired'],
  refused: ['receiptRefused', 'rejected'],
} as const satisfies Record<ReceiptVerdict['verdict'], readonly [Word, string]>

const factsOf = ({ confirmation, approver, device, issuer }: CheckedReceipt): readonly (readonly [Word, string])[] => [
  ['receiptApproved', showDate(confirmation.approvedAt)],
  ...(approver === undefined ? [] : [['receiptBy', `${approver.name} ${approver.email}`.trim()] as const]),
  ['receiptDevice', device.id],
  ['receiptIssuer', issuer],
  ['receiptNumber', confirmation.id],
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

/** Hands a file to the browser, which saves it. */
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

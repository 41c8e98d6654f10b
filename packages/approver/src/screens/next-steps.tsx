import { Heading } from '../parts.tsx'
import { waiting } from '../waiting-requests.ts'
import { t } from '../words.ts'

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

export const Gone = () => (
  <>
    <Heading>{waiting.value === undefined ? t('loading') : t('gone')}</Heading>
    <a class="button main" href="#/">
      {t('toInbox')}
    </a>
  </>
)

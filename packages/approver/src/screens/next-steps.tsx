import { useEffect } from 'preact/hooks'
import { Heading, State } from '../parts.tsx'
import { offlineSince, waiting } from '../waiting-requests.ts'
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

export const Gone = () =>
  waiting.value === undefined ? (
    <Unread />
  ) : (
    <>
      <Heading>{t('gone')}</Heading>
      <a class="button main" href="#/">
        {t('toInbox')}
      </a>
    </>
  )

/** Keeps the title of the open request in the history of the browser, for a reload without a connection. */
export const useKeptTitle = (title: string | undefined): void => useEffect(() => history.replaceState(title, ''), [title])

/** A request that the page has not read. Without a connection, the page says which request was open, if it was. */
export const Unread = () => {
  if (offlineSince.value === undefined) return <p>{t('loading')}</p>
  const title = history.state as string | undefined | null
  return (
    <State icon="offline">
      <Heading>{title ?? t('unread')}</Heading>
      {title && <p class="quiet">{t('unread')}</p>}
    </State>
  )
}

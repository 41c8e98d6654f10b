import {
  CountersignProvider,
  useApprovalRequest,
  useClient,
  useConfirmation,
  useInbox,
  useSession,
} from '@countersign/client-sdk/react'
import { QueryClient, QueryClientProvider, useQuery, useQueryClient } from '@tanstack/react-query'
import { StrictMode, Suspense, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'

/** The page asks for what is in its address: the id of a confirmation or of an approval request. */
const useAsked = (): string | undefined => {
  const [asked, setAsked] = useState<string>()
  useEffect(() => {
    const read = () => setAsked(location.hash.slice(1) || undefined)
    addEventListener('hashchange', read)
    return () => removeEventListener('hashchange', read)
  }, [])
  return asked
}

const Account = () => {
  const { status, me } = useSession()
  return (
    <p id="session">
      {status} {me?.user.email}
    </p>
  )
}

const Waiting = () => {
  const { me } = useSession({ suspense: true })
  return <p id="waiting">{me === null ? 'nobody' : me.user.email}</p>
}

const Asked = () => {
  const asked = useAsked()
  const isShared = asked?.startsWith('appr_') === true
  const { confirmation } = useConfirmation(isShared ? undefined : asked)
  const { request } = useApprovalRequest(isShared ? asked : undefined)
  return (
    <p id="asked">
      {confirmation?.status} {request?.status} {request?.approvals}
    </p>
  )
}

const Inbox = () => {
  const { confirmations, error } = useInbox()
  return <p id="inbox">{error?.message ?? confirmations?.map(({ actionType }) => actionType).join()}</p>
}

/** A list that the app reads itself, by TanStack Query, separately for each person. */
const Devices = () => {
  const client = useClient()
  const { me } = useSession()
  const { data } = useQuery({
    queryKey: ['devices', me?.user.id],
    queryFn: () => client.devices.list(),
    enabled: me !== null,
    retry: false,
  })
  const queries = useQueryClient()
  useEffect(() => client.on('signedOut', () => queries.clear()), [client, queries])
  return <p id="devices">{data?.devices.length}</p>
}

const { sdk } = globalThis
const client = sdk.createClient({
  baseUrl: location.origin,
  store: sdk.browserTokenStore(),
  ...(location.search === '?polling' ? {} : { events: sdk.events.liveEvents }),
})
globalThis.client = client

createRoot(document.body.appendChild(document.createElement('main'))).render(
  <StrictMode>
    <QueryClientProvider client={new QueryClient()}>
      <CountersignProvider client={client}>
        <Account />
        <Suspense fallback={<p id="waiting">please wait</p>}>
          <Waiting />
        </Suspense>
        <Asked />
        <Inbox />
        <Devices />
      </CountersignProvider>
    </QueryClientProvider>
  </StrictMode>,
)

import { CountersignError } from '@countersign/client-sdk'
import { useEffect, useState } from 'preact/hooks'
import { isLost, showFailure } from './action-outcome.ts'
import { client, ownId } from './phone.ts'
import { INTERVAL_WHILE_LIVE } from './waiting-requests.ts'
import { language, listOf, t } from './words.ts'

type State = Awaited<ReturnType<typeof client.approvalRequests.read>>

/** A request to several people, as the person who looks at the page sees it. */
export interface SharedRequest extends State {
  readonly ownId: number | undefined
}

/** Follows a request to several people: `undefined` until it is read, `null` if the person does not take part. */
export const useSharedRequest = (approvalId: string | undefined, own: string | undefined) => {
  const [request, setRequest] = useState<SharedRequest | null>()
  const [isStale, setStale] = useState(0)
  useEffect(() => {
    if (approvalId === undefined) return
    let isCurrent = true
    setRequest(undefined)
    const read = async (): Promise<void> => {
      if (document.hidden) return
      try {
        const [state, id] = await Promise.all([client.approvalRequests.read({ approvalId }), ownId()])
        if (isCurrent) setRequest({ ...state, ownId: id })
      } catch (error) {
        if (!isCurrent || isLost(error)) return
        if (error instanceof CountersignError && error.status === 404) setRequest(null)
        else showFailure(error)
      }
    }
    const onNews = (): void => void read()
    // The first event comes at once. Nobody is told of a vote that no longer counts.
    const stop = client.events.on(onNews)
    const timer = setInterval(onNews, INTERVAL_WHILE_LIVE)
    document.addEventListener('visibilitychange', onNews)
    return () => {
      isCurrent = false
      stop()
      clearInterval(timer)
      document.removeEventListener('visibilitychange', onNews)
    }
  }, [approvalId, own, isStale])
  return [request, () => setStale(isStale + 1)] as const
}

/** Returns the name of a person, or the words for a person whose account was deleted. */
export const nameOf = ({ name }: { readonly name: string | null }): string => name ?? t('deletedPerson')

/** Returns the names of those whose approvals count. */
export const approversOf = ({ votes = [] }: State): string =>
  listOf(votes.filter(({ counts }) => counts).map(nameOf), 'conjunction')

export const missingIn = ({ groups }: State): number => groups.reduce((sum, { count, approvals }) => sum + count - approvals, 0)

type Group = State['groups'][number]

/** Returns the name of a group in the language of the page, or else in any. */
const labelOf = ({ label }: Group): string | undefined => label && (label[language.value] ?? label.en ?? Object.values(label)[0])

/** Says in which groups approvals are missing, if the groups have names. Nobody reads the names of permissions. */
export const missingGroups = ({ groups }: State): string => {
  const missing = groups.filter(({ count, approvals }) => approvals < count)
  if (missing.every((group) => labelOf(group) === undefined)) return ''
  const texts = missing.map((group) => {
    const values = { count: group.count - group.approvals, group: labelOf(group) ?? '' }
    return t(values.group === '' ? 'missingOther' : 'missingOf', values)
  })
  return t('votesMissing', { missing: listOf(texts) })
}

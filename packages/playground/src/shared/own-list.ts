import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { showFailure } from '../pane/attempt.ts'

/** Makes a list of what belongs to the user, as last read. */
export const ownList = <T>(readAll: () => Promise<readonly T[]>) => {
  const items = signal<readonly T[]>([])
  const read = async (): Promise<void> => {
    items.value = await readAll()
  }
  /** Reads the list for a card. Clears the list when the card is gone, because the next user has another list. */
  const useReading = (): void =>
    useEffect(() => {
      read().catch(showFailure)
      return () => {
        items.value = []
      }
    }, [])
  return { items, read, useReading }
}

import type { TargetedSubmitEvent } from 'preact'

/** What stands in a form's fields, by name; the browser sends nothing. */
export const formValues = (event: TargetedSubmitEvent<HTMLFormElement>): Readonly<Record<string, string>> => {
  event.preventDefault()
  return Object.fromEntries([...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value)]))
}

import type { TargetedSubmitEvent } from 'preact'

/** Returns the values of a form's fields by name, and keeps the browser from sending the form. */
export const formValues = (event: TargetedSubmitEvent<HTMLFormElement>): Readonly<Record<string, string>> => {
  event.preventDefault()
  return Object.fromEntries([...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value)]))
}

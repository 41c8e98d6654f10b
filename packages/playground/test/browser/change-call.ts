import type { Page } from 'playwright-core'

export interface Change<T> {
  /** Returns the request to send instead of the page's own. */
  readonly body?: unknown
  /** Changes `data` in the response of the server. */
  readonly answer?: (data: T) => void
}

/** Changes a call of the page and its response, as a bad network or a malicious script would. */
export const changeCall = <T>(page: Page, path: string, { body, answer = () => {} }: Change<T>): Promise<unknown> =>
  page.route(`**/api/v1/auth/${path}`, async (route) => {
    const response = await route.fetch(body === undefined ? {} : { postData: JSON.stringify(body) })
    const json = (await response.json()) as { readonly data: T }
    answer(json.data)
    await route.fulfill({ response, json })
  })

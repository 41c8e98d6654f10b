import type { Page } from 'playwright-core'

/** Changes what the server answers on its way to the page, as a bad network or a bad script in the page would. */
export const changeAnswers = <T>(page: Page, path: string, change: (data: T) => void): Promise<unknown> =>
  page.route(`**/api/v1/auth/${path}`, async (route) => {
    const response = await route.fetch()
    const body = (await response.json()) as { readonly data: T }
    change(body.data)
    await route.fulfill({ response, json: body })
  })

const give =
  (attributes: Readonly<Record<string, string>>) =>
  (element: Element): void => {
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  }

const nameField = (field: Element): void => {
  const parameter = field.closest('tr')?.querySelector('.parameter__name')?.textContent
  give({ 'aria-label': parameter ?? (field.id === 'servers' ? 'Server' : 'Request body') })(field)
}

const addHeading = (operations: Element): void => {
  const heading = document.createElement('h2')
  heading.textContent = 'Operations'
  operations.prepend(heading)
}

/** Corrections of Swagger UI for screen readers, each with the elements that need it. No element matches after its correction. */
const corrections: readonly (readonly [selector: string, correct: (element: Element) => void])[] = [
  // The headings of the operations are of the third level.
  ['#operations:not(:has(h2))', addHeading],
  ['.information-container:not([role])', give({ role: 'region', 'aria-label': 'About the interface' })],
  ['.scheme-container:not([role])', give({ role: 'region', 'aria-label': 'Server and authorization' })],
  ['.filter-container:not([role])', give({ role: 'region', 'aria-label': 'Filter' })],
  ['select:not([aria-label]), textarea:not([aria-label])', nameField],
  // The link stands in the button that opens the operation. The address of the page follows the button too.
  ['.opblock-summary-control a[href]', (link) => link.removeAttribute('href')],
  // The dialog stands below the title of the page. Its buttons have other names than the texts that they show.
  ['.modal-ux h3:not([aria-level])', give({ 'aria-level': '2' })],
  ['.modal-ux h4:not([aria-level])', give({ 'aria-level': '3' })],
  ['.modal-ux .btn[aria-label]', (button) => button.removeAttribute('aria-label')],
  ['.close-modal:not([aria-label])', give({ 'aria-label': 'Close' })],
  // Each open operation has such a table, and none has a name.
  ['.responses-table[role]', (table) => table.removeAttribute('role')],
  // People without a mouse scroll what has the focus.
  ['.microlight:not([tabindex])', give({ tabindex: '0' })],
]

/** Makes what Swagger UI shows accessible, after each change of it. */
export const keepAccessible = (): void => {
  const correctAll = (): void => {
    for (const [selector, correct] of corrections) document.querySelectorAll(selector).forEach(correct)
  }
  new MutationObserver(correctAll).observe(document.body, { childList: true, subtree: true })
}

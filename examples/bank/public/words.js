const euros = new Intl.NumberFormat('en', { style: 'currency', currency: 'EUR' })

export const money = (cents) => euros.format(cents / 100)

/** Returns a time such as `today, 20:41` or `28 Nov, 20:41`. */
export const day = (given) => {
  const at = new Date(given)
  const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' }).format(at)
  const isToday = at.toDateString() === new Date().toDateString()
  return `${isToday ? 'today' : new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' }).format(at)}, ${time}`
}

/** Joins names: `Grace and Alan`. */
export const list = (names) => new Intl.ListFormat('en').format(names.map((name) => name ?? 'a former member'))

const UNITS = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
  ['s', 1],
] as const

/** Shows a duration in its two largest units, such as `4 min 59 s`. The text never breaks over two lines. */
export const showDuration = (milliseconds: number): string => {
  let rest = Math.max(0, Math.floor(milliseconds / 1000))
  const parts: string[] = []
  for (const [unit, seconds] of UNITS) {
    const count = Math.floor(rest / seconds)
    rest -= count * seconds
    if (count > 0 || parts.length > 0) parts.push(`${count}\u00a0${unit}`)
  }
  return parts.slice(0, 2).join('\u00a0') || '0\u00a0s'
}

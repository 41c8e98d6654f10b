type Colour = readonly [red: number, green: number, blue: number]

/** The grounds of the page in light and in dark colours, on which texts have the colour of the host: those of `style.css`. */
export const grounds = { light: '#f4f5f8', dark: '#191d26' } as const

const parse = (colour: string): Colour => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
  return [red, green, blue]
}

const write = (colour: Colour): string => `#${colour.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`

/** The relative luminance of WCAG 2.2. */
const luminance = (colour: string): number => {
  const [red = 0, green = 0, blue = 0] = parse(colour).map((part) =>
    part <= 0.04045 * 255 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
  )
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Returns the contrast of two colours, from 1 to 21 (WCAG 2.2). */
export const contrast = (one: string, other: string): number => {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

const mix = (colour: string, other: string, share: number): string => {
  const [from, to] = [parse(colour), parse(other)]
  const [red = 0, green = 0, blue = 0] = from.map((part, at) => part + ((to[at] ?? 0) - part) * share)
  return write([red, green, blue])
}

/** Returns black or white: the colour of text that is easier to read on this ground. */
export const textOn = (ground: string): string =>
  contrast(ground, '#000000') > contrast(ground, '#ffffff') ? '#000000' : '#ffffff'

/** Returns a colour for text on this ground: darker or lighter than the colour of the host only as far as the contrast needs it. */
export const readable = (colour: string, ground: string): string => {
  const shares = Array.from({ length: 26 }, (_, at) => at / 25)
  const tones = shares.map((share) => mix(colour, textOn(ground), share))
  return tones.find((tone) => contrast(tone, ground) >= 4.5) ?? textOn(ground)
}

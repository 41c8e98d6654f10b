import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import pixelmatch from 'pixelmatch'
import { PNG } from 'pngjs'
import { repository } from '../../workspace.ts'

/**
 * The stated tolerance. Two pixels are one colour if they are closer than a tenth of the distance from black to white, and two
 * pictures are equal if at most 20 pixels are not, besides those on the soft edges of letters. Another processor may round
 * the edges in another way; one changed letter is more than that.
 */
const tolerance = { threshold: 0.1, pixels: 20 }

const isUpdating = process.env.UPDATE_PICTURES === '1'

const countDifferences = (expected: PNG, actual: PNG, difference: PNG): number =>
  pixelmatch(expected.data, actual.data, difference.data, actual.width, actual.height, { threshold: tolerance.threshold })

const chunk = (name: string, data: Uint8Array): Buffer => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}

/** The squared distance of two RGBA colours. */
const distance = (one: number, other: number): number =>
  [24, 16, 8, 0].reduce((sum, shift) => sum + (((one >>> shift) & 255) - ((other >>> shift) & 255)) ** 2, 0)

/** Chooses 256 colours: the 64 most frequent, and then always the one that is farthest from those chosen so far. */
const choosePalette = (counts: ReadonlyMap<number, number>): readonly number[] => {
  const all = [...counts].sort(([, one], [, other]) => other - one).map(([colour]) => colour)
  const palette = all.splice(0, 64)
  let left = all.map((colour) => ({ colour, error: Math.min(...palette.map((one) => distance(one, colour))) }))
  while (palette.length < 256 && left.length > 0) {
    const { colour: next } = left.reduce((one, other) => (other.error > one.error ? other : one))
    palette.push(next)
    left = left
      .filter(({ colour }) => colour !== next)
      .map(({ colour, error }) => ({ colour, error: Math.min(error, distance(colour, next)) }))
  }
  return palette
}

/** Returns a PNG with a palette, which has half of the size. Colours on the edges of letters become the nearest of it. */
const toPalette = ({ width, height, data }: PNG): Buffer => {
  const pixels = Array.from({ length: width * height }, (_, index) => data.readUInt32BE(index * 4))
  const counts = new Map<number, number>()
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1)
  const palette = choosePalette(counts)
  const colours = palette.map((colour) => [24, 16, 8, 0].map((shift) => (colour >>> shift) & 255))
  const nearest = (pixel: number): number => {
    const distances = palette.map((colour) => distance(pixel, colour))
    return distances.indexOf(Math.min(...distances))
  }
  const indexes = new Map([...counts.keys()].map((pixel) => [pixel, nearest(pixel)]))
  const lines = Buffer.alloc((width + 1) * height)
  pixels.forEach((pixel, at) => {
    lines[at + Math.floor(at / width) + 1] = indexes.get(pixel) ?? 0
  })
  const size = Buffer.alloc(8)
  size.writeUInt32BE(width, 0)
  size.writeUInt32BE(height, 4)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    // 8 bits a pixel, with a palette; each line without a filter.
    chunk('IHDR', Buffer.concat([size, Buffer.from([8, 3, 0, 0, 0])])),
    chunk('PLTE', Buffer.from(colours.flatMap((colour) => colour.slice(0, 3)))),
    chunk('tRNS', Buffer.from(colours.map(([, , , alpha]) => alpha ?? 255))),
    chunk('IDAT', deflateSync(lines, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/**
 * Compares a picture with the picture in the repository, and returns the difference in words; `undefined` if both are equal within
 * the tolerance. A different picture is written to `test-artifacts/pictures`, with its differences in red. With
 * `UPDATE_PICTURES=1`, a different picture replaces the picture in the repository.
 *
 * @param path - the path of the picture, from the root of the repository
 */
export const complainOfPicture = (path: string, picture: Buffer): string | undefined => {
  const kept = join(repository, path)
  const actual = PNG.sync.read(picture)
  const expected = existsSync(kept) ? PNG.sync.read(readFileSync(kept)) : undefined
  const isOfOneSize = expected?.width === actual.width && expected.height === actual.height
  const difference = new PNG({ width: actual.width, height: actual.height })
  const pixels = expected !== undefined && isOfOneSize ? countDifferences(expected, actual, difference) : Number.POSITIVE_INFINITY
  if (pixels <= tolerance.pixels) return undefined
  const target = isUpdating ? kept : join(repository, 'test-artifacts', 'pictures', path)
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, toPalette(actual))
  if (isUpdating) return undefined
  if (isOfOneSize) writeFileSync(target.replace(/\.png$/, '-difference.png'), PNG.sync.write(difference))
  const what = expected === undefined ? 'is missing' : isOfOneSize ? `differs in ${pixels} pixels` : 'has another size'
  return `${path} ${what}; see ${relative(repository, target)}, and UPDATE_PICTURES=1 keeps the new picture`
}

const require = createRequire(import.meta.url)

const faceOf = (file: string, weight: number): string => {
  const data = readFileSync(require.resolve(`${file}-${weight}-normal.woff2`)).toString('base64')
  return `@font-face { font-family: Pictures; font-weight: ${weight}; src: url(data:font/woff2;base64,${data}); ${ranges(file)} }`
}

/** Latin letters come from one file and Arabic letters from the other. */
const ranges = (file: string): string => (file.includes('arabic') ? 'unicode-range: U+600-6FF, U+750-77F, U+FB50-FEFF;' : '')

/** Styles that make pictures equal on all machines: fonts from npm, Latin and Arabic, for a page that names no font itself. */
export const styleOfPictures = (): string =>
  [
    ...[400, 600, 700].flatMap((weight) => [
      faceOf('@fontsource/noto-sans/files/noto-sans-latin', weight),
      faceOf('@fontsource/noto-sans-arabic/files/noto-sans-arabic-arabic', weight),
    ]),
    ':root { font-family: Pictures; }',
  ].join('\n')

import type { DisplayLine } from './display.ts'
import { isolated } from './readable-text.ts'

type Payload = Readonly<Record<string, unknown>>

/** The labels of the members that the service adds to the payload of a vouching, in the order of the lines. */
const labels = { deviceId: 'Id', keyThumbprint: 'Fingerprint of the key' }
const placeLabels = { address: 'Address', userAgent: 'Program', at: 'Time' }

/** Returns the words for the place that registered the device, if the payload has a place and the place nothing else. */
const placeOf = ({ requestedFrom }: Payload): Payload | undefined => {
  if (typeof requestedFrom !== 'object' || requestedFrom === null) return undefined
  const { address, userAgent, at, ...others } = requestedFrom as Payload
  const texts = [address ?? 'an unknown address', userAgent ?? 'an unknown program', at]
  if (Object.keys(others).length > 0 || !texts.every((one) => typeof one === 'string')) return undefined
  const time = String(at).replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/, '$1 $2 UTC')
  return { address: texts[0], userAgent: texts[1], at: time }
}

/**
 * Returns the title and the lines of a vouching: whether the person trusts the new device or passkey. Also returns the names of
 * the members of the payload that these lines show. Returns `undefined` for a payload that no vouching has.
 */
export const vouchingWords = (payload: Payload) => {
  const place = placeOf(payload)
  const { deviceType, deviceId, keyThumbprint } = payload
  if (place === undefined || typeof deviceId !== 'string' || typeof keyThumbprint !== 'string') return undefined
  const linesOf = (names: Readonly<Record<string, string>>, values: Payload): readonly DisplayLine[] =>
    Object.entries(names).map(([name, label]) => ({ label, value: isolated(String(values[name])) }))
  return {
    title: `Trust a new ${deviceType === 'passkey' ? 'passkey' : 'device'}`,
    lines: [...linesOf(placeLabels, place), ...linesOf(labels, payload)],
    shown: ['requestedFrom', ...Object.keys(labels)],
  }
}

import pg from 'pg'

type Parse = (text: string) => unknown

const asText: Parse = (text) => text
const { BOOL, INT2, INT4, INT8, FLOAT4, FLOAT8, TEXT, VARCHAR } = pg.types.builtins

/** Every 64-bit integer of our tables is an instant, a count or an id below 2^53. */
const parsers: Readonly<Record<number, Parse>> = {
  [BOOL]: (text) => text === 't',
  ...Object.fromEntries([INT2, INT4, INT8, FLOAT4, FLOAT8].map((oid) => [oid, Number])),
  [TEXT]: asText,
  [VARCHAR]: asText,
}

/** Reads the values of answers as the stores need them, also if the host has set other parsers for the driver. */
export const valueTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    (format === 'binary' ? undefined : parsers[oid]) ?? (pg.types.getTypeParser(oid, format ?? 'text') as Parse),
}

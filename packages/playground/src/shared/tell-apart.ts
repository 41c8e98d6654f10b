/** The part of an id that people compare: the end, because ids made at about the same time begin alike. */
export const shortId = (id: string): string => id.slice(-8)

type Named = Readonly<Record<'id' | 'name', string>>

/** Names one of several items. The name has the short id if another item has the same name. */
export const tellApart = ({ id, name }: Named, all: readonly Named[]): string =>
  all.some((other) => other.name === name && other.id !== id) ? `${name} (${shortId(id)})` : name

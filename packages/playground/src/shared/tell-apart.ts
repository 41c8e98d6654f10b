/** As much of an id as people compare. The end of it, since ids made at about the same time begin alike. */
export const shortId = (id: string): string => id.slice(-8)

interface Named {
  readonly id: string
  readonly name: string
}

/** The name of one of several things; with the short id where another one has the same name. */
export const tellApart = ({ id, name }: Named, all: readonly Named[]): string =>
  all.some((other) => other.name === name && other.id !== id) ? `${name} (${shortId(id)})` : name

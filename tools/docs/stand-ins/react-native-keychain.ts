const kept = new Map<string, { readonly username: string; readonly password: string }>()

interface Options {
  readonly service: string
}

export const getGenericPassword = async ({ service }: Options) => kept.get(service) ?? false

export const setGenericPassword = async (username: string, password: string, { service }: Options) => {
  kept.set(service, { username, password })
  return { service, storage: 'memory' }
}

export const resetGenericPassword = async ({ service }: Options) => kept.delete(service)

import { settings } from './settings.ts'

/** Says where the page must be opened, if this is not it: a passkey belongs to a domain, and an IP address is none. */
export const AddressBanner = () => {
  const { origins } = settings.value
  const [home] = origins
  if (home === undefined || origins.includes(location.origin)) return null
  return (
    <p class="banner" role="note">
      Passkeys belong to a domain, and those of this service do not work at {location.origin}. Open{' '}
      <a href={`${home}/playground`}>{home}/playground</a> instead.
    </p>
  )
}

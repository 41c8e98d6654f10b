import { settings } from './settings.ts'

/** Says where the page must be opened, if this is not it: a passkey belongs to a domain, and an IP address is none. */
export const AddressBanner = () => {
  const { origins } = settings.value
  const home = origins.find((origin) => origin.startsWith('http'))
  if (home === undefined || origins.includes(location.origin)) return null
  const there = home + location.pathname
  return (
    <p class="banner" role="note">
      Passkeys belong to a domain, and those of this service do not work at {location.origin}
      {isSecureContext ? '' : ', where browsers keep no keys either'}. Open <a href={there}>{there}</a> instead.
    </p>
  )
}

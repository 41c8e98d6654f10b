import { settings } from './settings.ts'

/** Names the address at which passkeys work, which belong to a domain, if the page is open at another one. */
export const AddressBanner = () => {
  const { origins } = settings.value
  const home = origins.find((origin) => origin.startsWith('http'))
  if (home === undefined || origins.includes(location.origin)) return null
  const there = home + location.pathname
  return (
    <p class="banner" role="note">
      Passkeys belong to a domain. The passkeys of this service do not work at {location.origin}
      {isSecureContext ? '' : ', and browsers store no device keys there'}. Open <a href={there}>{there}</a> instead.
    </p>
  )
}

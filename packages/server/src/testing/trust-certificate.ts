import { getCACertificates, setDefaultCACertificates } from 'node:tls'

/** Makes this process trust a certificate for further connections. Returns a function that ends the trust. */
export const trustCertificate = (certificate: string): (() => void) => {
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, certificate])
  return () => setDefaultCACertificates(before)
}

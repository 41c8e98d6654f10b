/** A self-signed certificate for `localhost` and 0.0.0.0, valid for a hundred years, for test servers. */
export const certificate = `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUEVYrK5XkDikQTfljyjkNS8ojunQwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyODIzNTc0MFoYDzIxMjYxMTA0
MjM1NzQwWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAATlDRSrWbeT8tj3NjNnkgrA44UvkvX/ApD0XIxUMaE2unXwXTxrg5q9
VaIzZqIN3xrB2R3LpgsBtLA2hPSzZvaJo28wbTAdBgNVHQ4EFgQUmX8Y3au3vhhV
TVYFs3a0GPaIjpQwHwYDVR0jBBgwFoAUmX8Y3au3vhhVTVYFs3a0GPaIjpQwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBAAAAAAwCgYIKoZI
zj0EAwIDSAAwRQIgfnoVqjMpD3Ngen7MuVn1sNPrTHT/lf6xLQ/WxOgjxJgCIQD/
3ydImBWVgb2SotpGwkeXxhdtnKV/T0o2w1kQVGblbg==
-----END CERTIFICATE-----
`

/** The private key of the certificate. It protects nothing. */
export const certificateKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgb33R+neYWlwXIVrk
owNEVsHT85x5YV4DAbaVeEe2trOhRANCAATlDRSrWbeT8tj3NjNnkgrA44UvkvX/
ApD0XIxUMaE2unXwXTxrg5q9VaIzZqIN3xrB2R3LpgsBtLA2hPSzZvaJ
-----END PRIVATE KEY-----
`

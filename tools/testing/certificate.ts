/** A self-signed certificate for `localhost`, valid for a hundred years, for test servers. */
export const certificate = `-----BEGIN CERTIFICATE-----
MIIBlDCCATugAwIBAgIUT7OhAXUtWgt12I1EmRFd/tWmK2MwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTEwMjE0M1oYDzIxMjYxMDI4
MTAyMTQzWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAATlDRSrWbeT8tj3NjNnkgrA44UvkvX/ApD0XIxUMaE2unXwXTxrg5q9
VaIzZqIN3xrB2R3LpgsBtLA2hPSzZvaJo2kwZzAdBgNVHQ4EFgQUmX8Y3au3vhhV
TVYFs3a0GPaIjpQwHwYDVR0jBBgwFoAUmX8Y3au3vhhVTVYFs3a0GPaIjpQwDwYD
VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
RwAwRAIgNVN2/FPDjOOvDdQJpiITpAQwat7ZeZrIEXZgikwEnXoCIH6HsEnx6aJk
dWQrz9Yms1mPISjt/sbThfUbLx+Dkc0Z
-----END CERTIFICATE-----
`

/** The private key of the certificate. It protects nothing. */
export const certificateKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgb33R+neYWlwXIVrk
owNEVsHT85x5YV4DAbaVeEe2trOhRANCAATlDRSrWbeT8tj3NjNnkgrA44UvkvX/
ApD0XIxUMaE2unXwXTxrg5q9VaIzZqIN3xrB2R3LpgsBtLA2hPSzZvaJ
-----END PRIVATE KEY-----
`

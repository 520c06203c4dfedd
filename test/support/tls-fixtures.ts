/**
 * Two key pairs of P-256 for tests, with certificates for localhost and 127.0.0.1 that are valid for a hundred years, made with
 * `openssl ca`. They protect nothing. Fingerprints are of the DER SubjectPublicKeyInfo:
 * `openssl x509 -pubkey -noout | openssl pkey -pubin -outform der | sha256sum`.
 */

/** Signed by nobody but its own key. */
export const SELF_SIGNED = {
  key: Buffer.from(`-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg5CrK8zIUyCoVDQ6I
hAGwg/m1Qea1QHIhj+46zF0LH4uhRANCAAQnClzttIZoMYUtir+so4shUCKidSeI
FZ0b37t9ube6XMfoppzUX1sMgJYgFCPvw4AO3BtxksMPtx3WtVgwWtWE
-----END PRIVATE KEY-----
`),
  cert: Buffer.from(`-----BEGIN CERTIFICATE-----
MIIBdTCCARugAwIBAgIBATAKBggqhkjOPQQDAjAbMRkwFwYDVQQDDBBjbGF3YWkg
dGVzdCByb290MCAXDTI0MDEwMTAwMDAwMFoYDzIxMjMxMjMxMDAwMDAwWjAbMRkw
FwYDVQQDDBBjbGF3YWkgdGVzdCByb290MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcD
QgAEJwpc7bSGaDGFLYq/rKOLIVAionUniBWdG9+7fbm3ulzH6Kac1F9bDICWIBQj
78OADtwbcZLDD7cd1rVYMFrVhKNOMEwwGgYDVR0RBBMwEYIJbG9jYWxob3N0hwR/
AAABMA8GA1UdEwEB/wQFMAMBAf8wHQYDVR0OBBYEFCLaFuGU7G+Bm+meRyszfvTq
gGDTMAoGCCqGSM49BAMCA0gAMEUCIQDXeqfrBqkcRhJgcJbXN3Agq7Crnz8YHI9C
bR3M90Xt3gIgUBGKgjf1NX7HE+EGjHl0qN4T0vvmGlO4+7d4Tz+KuNA=
-----END CERTIFICATE-----
`),
  fingerprint: 'sha256:c32ad18d61414f57150aae2788ea59f10e009d19c941b9ecff48e33f15d671a0',
};

/** Signed by the key of `SELF_SIGNED`, which nobody trusts. */
export const ISSUED = {
  key: Buffer.from(`-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg9jDChgWy0NYqpJFm
jvQ2IXBynQuY9omTi2GSm409eKyhRANCAASFHxayDrKOwFs4H3uO9xityHPi0ctw
bDcvHyPryrOevycsPV2wgskgW+Op+fAHNLndsIOuw8gDnLO2FQSUOgoS
-----END PRIVATE KEY-----
`),
  cert: Buffer.from(`-----BEGIN CERTIFICATE-----
MIIBiTCCAS+gAwIBAgIBAjAKBggqhkjOPQQDAjAbMRkwFwYDVQQDDBBjbGF3YWkg
dGVzdCByb290MCAXDTI0MDEwMTAwMDAwMFoYDzIxMjMxMjMxMDAwMDAwWjAUMRIw
EAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASFHxay
DrKOwFs4H3uO9xityHPi0ctwbDcvHyPryrOevycsPV2wgskgW+Op+fAHNLndsIOu
w8gDnLO2FQSUOgoSo2kwZzAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCQYD
VR0TBAIwADAdBgNVHQ4EFgQU9UnZg4GoeUkb/qW/iVhxUcSFJE8wHwYDVR0jBBgw
FoAUItoW4ZTsb4Gb6Z5HKzN+9OqAYNMwCgYIKoZIzj0EAwIDSAAwRQIgAwNkJnXs
zIRnFjo+TsadpitTLTJ8DCNEtMDr+qLefMkCIQCKBh91uQV9m7JP69Jp4QQntID3
efO9styh/lxtovbJHw==
-----END CERTIFICATE-----
`),
  fingerprint: 'sha256:fbce88baaef6c3ebfb3c8ec1fdcaa3670a7dfe4ecaceef734a00411d40d65237',
};

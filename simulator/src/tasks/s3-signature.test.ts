import { expect, test } from 'bun:test'

import { signatureFault } from './s3-signature'

/** The examples of https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html */
const key = {
  keyId: 'AKIAIOSFODNN7EXAMPLE',
  secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
}
const now = Date.UTC(2013, 4, 24)
const host = 'examplebucket.s3.amazonaws.com'
const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

const requestOf = (path: string, names: string, signature: string, more = {}) => ({
  method: 'GET',
  url: `https://${host}${path}`,
  headers: new Headers({
    host,
    'x-amz-content-sha256': empty,
    'x-amz-date': '20130524T000000Z',
    ...more,
    authorization: `AWS4-HMAC-SHA256 Credential=${key.keyId}/20130524/us-east-1/s3/aws4_request, SignedHeaders=${names}, Signature=${signature}`,
  }),
})

const names = 'host;x-amz-content-sha256;x-amz-date'
const listed = '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7'
const list = requestOf('/?max-keys=2&prefix=J', names, listed)

test('the signatures of the documentation are valid', () => {
  const read = 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41'
  const withRange = 'host;range;x-amz-content-sha256;x-amz-date'
  expect(signatureFault(requestOf('/test.txt', withRange, read, { range: 'bytes=0-9' }), key, now)).toBeNull()
  expect(signatureFault(list, key, now)).toBeNull()
  expect(signatureFault(requestOf('/?prefix=J&max-keys=2', names, listed), key, now)).toBeNull()
})

test.each([
  ['AccessDenied', { ...list, headers: new Headers({ host }) }, key, now],
  ['InvalidAccessKeyId', list, { ...key, keyId: 'AKIAOTHER' }, now],
  ['AuthorizationHeaderMalformed', list, { ...key, region: 'eu-west-1' }, now],
  ['RequestTimeTooSkewed', list, key, now + 16 * 60_000],
  ['SignatureDoesNotMatch', list, { ...key, secret: 'other' }, now],
  ['SignatureDoesNotMatch', { ...list, method: 'DELETE' }, key, now],
  ['SignatureDoesNotMatch', requestOf('/?max-keys=2&prefix=K', names, listed), key, now],
  ['SignatureDoesNotMatch', requestOf('/other?max-keys=2&prefix=J', names, listed), key, now],
  ['AccessDenied', requestOf('/?max-keys=2&prefix=J', 'host;x-amz-date', listed), key, now],
])('a request with a wrong signature is refused as %s', (code, request, signingKey, at) => {
  expect(signatureFault(request, signingKey, at)?.code).toBe(code)
})

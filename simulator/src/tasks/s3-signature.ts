import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** A request as it came over the wire. */
export interface SignedRequest {
  readonly method: string
  readonly url: string
  readonly headers: Headers
}

/** The credentials whose signatures are valid. */
export interface SigningKey {
  readonly keyId: string
  readonly secret: string
  readonly region: string
}

/** Why a request is refused: the storage's error code and its words. */
export interface SignatureFault {
  /** Default: 403. */
  readonly status?: number
  readonly code: string
  readonly message: string
}

const form =
  /^AWS4-HMAC-SHA256 Credential=([^/,\s]+)\/(\d{8})\/([^/,\s]+)\/([^/,\s]+)\/aws4_request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/

const skewMs = 15 * 60_000

/**
 * Computes the signature from the request anew, by the steps of the documentation, and returns what is wrong with it; null: nothing.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
 */
export function signatureFault(request: SignedRequest, key: SigningKey, nowMs: number): SignatureFault | null {
  const { headers } = request
  const [, keyId, day, region, service, names = '', signature = ''] =
    form.exec(headers.get('authorization') ?? '') ?? []
  const time = headers.get('x-amz-date') ?? ''
  if (keyId === undefined) return { code: 'AccessDenied', message: 'Access Denied' }
  if (keyId !== key.keyId) return { code: 'InvalidAccessKeyId', message: 'The key id does not exist' }
  if (service !== 's3' || region !== key.region)
    return {
      code: 'AuthorizationHeaderMalformed',
      message: `the region '${region}' is wrong; expecting '${key.region}'`,
    }
  const signedAt = Date.parse(time.replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5'))
  if (!time.startsWith(day ?? '-') || !(Math.abs(nowMs - signedAt) <= skewMs))
    return { code: 'RequestTimeTooSkewed', message: 'The difference between the times is too large' }
  const signed = names.split(';')
  const needed = ['host', ...[...headers.keys()].filter((name) => name.startsWith('x-amz-')), ...contentType(headers)]
  if (needed.some((name) => !signed.includes(name)))
    return { code: 'AccessDenied', message: 'There were headers present in the request which were not signed' }
  const scope = `${day}/${region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical(request, signed))].join('\n')
  const signing = [region, 's3', 'aws4_request'].reduce(hmac, hmac(`AWS4${key.secret}`, day ?? ''))
  if (timingSafeEqual(hmac(signing, text), Buffer.from(signature, 'hex'))) return null
  return { code: 'SignatureDoesNotMatch', message: 'The signature does not match the one that was calculated' }
}

const contentType = (headers: Headers): readonly string[] => (headers.has('content-type') ? ['content-type'] : [])

function canonical({ method, url, headers }: SignedRequest, signed: readonly string[]): string {
  const [, path = '/', search = ''] = /^[a-z]+:\/\/[^/]+(\/[^?#]*)\??([^#]*)/.exec(url) ?? []
  const query = search
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [name = '', value = ''] = pair
        .split('=')
        .map((part) => percentEncode(decodeURIComponent(part.replaceAll('+', ' '))))
      return `${name}=${value}`
    })
    .toSorted()
    .join('&')
  const encodedPath = path
    .split('/')
    .map((part) => percentEncode(decodeURIComponent(part)))
    .join('/')
  const lines = signed.map((name) => `${name}:${(headers.get(name) ?? '').trim().replaceAll(/\s+/g, ' ')}\n`).join('')
  return [method, encodedPath, query, lines, signed.join(';'), headers.get('x-amz-content-sha256') ?? ''].join('\n')
}

/** All but the unreserved characters of RFC 3986, in capitals. */
const percentEncode = (text: string): string =>
  [...Buffer.from(text)]
    .map((byte) => {
      const character = String.fromCharCode(byte)
      return /[\w.~-]/.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
    })
    .join('')

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

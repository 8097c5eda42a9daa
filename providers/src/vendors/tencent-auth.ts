import { createHash, createHmac } from 'node:crypto'

import type { Authorize, Target } from '../provider'

/** A key of three parts signs requests to Tencent Cloud's own API; any other is one of the API that is compatible with OpenAI's. */
export const isSigningKey = ({ key }: Pick<Target, 'key'>): boolean => key.includes('|')

interface Signed {
  readonly service: string
  /** Those that are signed, in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Unix seconds. */
  readonly timestamp: number
  readonly secretId: string
  readonly secretKey: string
}

/** Returns an `Authorization` by TC3-HMAC-SHA256, for a POST to the root. https://cloud.tencent.com/document/api/1729/101843 */
export function tc3Authorization({ service, headers, body, timestamp, secretId, secretKey }: Signed): string {
  const names = Object.keys(headers).sort()
  const date = new Date(timestamp * 1000).toISOString().slice(0, 10)
  const scope = `${date}/${service}/tc3_request`
  const signedNames = names.join(';')
  const lines = names.map((name) => `${name}:${headers[name]?.trim().toLowerCase()}\n`)
  const request = ['POST', '/', '', lines.join(''), signedNames, hashOf(body)].join('\n')
  const text = ['TC3-HMAC-SHA256', timestamp, scope, hashOf(request)].join('\n')
  const key = [date, service, 'tc3_request'].reduce<string | Buffer>(
    (secret, part) => createHmac('sha256', secret).update(part).digest(),
    `TC3${secretKey}`,
  )
  const signature = createHmac('sha256', key).update(text).digest('hex')
  return `TC3-HMAC-SHA256 Credential=${secretId}/${scope}, SignedHeaders=${signedNames}, Signature=${signature}`
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** A signature over the body as it is sent. */
export const signTencent: Authorize = async ({ url, headers, body }, target, { now }) => {
  if (!isSigningKey(target)) return {}
  const [application = '', secretId = '', secretKey = '', ...more] = target.key.split('|').map((part) => part.trim())
  if (application === '' || secretId === '' || secretKey === '' || more.length > 0)
    throw new TypeError('The key must be AppId|SecretId|SecretKey, or an API key')
  const timestamp = Math.floor(now() / 1000)
  const signed = {
    'content-type': headers['content-type'] ?? 'application/json',
    host: new URL(url).host,
    'x-tc-action': headers['x-tc-action'] ?? '',
  }
  return {
    headers: {
      'x-tc-timestamp': String(timestamp),
      authorization: tc3Authorization({ service: 'hunyuan', headers: signed, body, timestamp, secretId, secretKey }),
    },
  }
}

import { createHash, createHmac } from 'node:crypto'

/** A POST with a JSON body to an API of Volcengine that wants signatures. */
interface Signed {
  readonly url: string
  readonly body: string
  readonly accessKey: string
  readonly secret: string
  readonly region: string
  readonly service: string
  readonly nowMs: number
}

/** Returns the headers that sign a request. https://www.volcengine.com/docs/6369/67269 */
export function volcEngineSignature(request: Signed): Record<string, string> {
  const { url, body, accessKey, secret, region, service, nowMs } = request
  const { host, pathname, searchParams } = new URL(url)
  const date = new Date(nowMs).toISOString().replaceAll(/[-:]|\.\d+/g, '')
  const signed: Readonly<Record<string, string>> = {
    'content-type': 'application/json',
    host,
    'x-content-sha256': hashOf(body),
    'x-date': date,
  }
  const names = Object.keys(signed).sort()
  const signedNames = names.join(';')
  searchParams.sort()
  const lines = names.map((name) => `${name}:${signed[name]}\n`).join('')
  const canonical = ['POST', pathname, searchParams.toString(), lines, signedNames, hashOf(body)].join('\n')
  const scope = `${date.slice(0, 8)}/${region}/${service}/request`
  const text = ['HMAC-SHA256', date, scope, hashOf(canonical)].join('\n')
  const key = scope
    .split('/')
    .reduce<string | Buffer>((last, part) => createHmac('sha256', last).update(part).digest(), secret)
  const signature = createHmac('sha256', key).update(text).digest('hex')
  return {
    'content-type': 'application/json',
    'x-content-sha256': hashOf(body),
    'x-date': date,
    authorization: `HMAC-SHA256 Credential=${accessKey}/${scope}, SignedHeaders=${signedNames}, Signature=${signature}`,
  }
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

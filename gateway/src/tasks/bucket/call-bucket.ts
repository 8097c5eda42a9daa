import { AwsV4Signer } from 'aws4fetch'

import type { Context } from '../../context'
import { readBeginning } from '@tollgate/http-client'
import { addressIn, type Bucket } from './bucket'
import { BucketFailure } from './bucket-failure'

export type BucketDeps = Pick<Context, 'clock' | 'fetch' | 'timers'>

interface BucketCall {
  readonly method: 'GET' | 'PUT' | 'DELETE'
  /** Names an object; empty: the bucket itself. */
  readonly key: string
  readonly query?: Readonly<Record<string, string>>
  readonly contentType?: string
  /** The client's; not signed, as S3 asks of no header but its own. */
  readonly range?: string | null
  readonly content?: BucketContent
  /** Until the response begins. */
  readonly timeoutMs?: number
}

export interface BucketContent {
  readonly body: ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer> | string
  readonly size: number
  /** Hexadecimal: the storage refuses bytes that arrive changed. */
  readonly sha256: string
}

const usualTimeoutMs = 20_000
/** Videos are large, and clients slow. */
const wholeMs = 3_600_000
const maxErrorLength = 16 * 1024
/** The hash of no bytes. */
const emptySha256 = new Bun.CryptoHasher('sha256').digest('hex')

/**
 * Makes a signed call of a bucket and resolves with the response, whose body is still to be read.
 * Protocol: https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
 * @throws BucketFailure for a storage that does not respond, and for any response but success.
 */
export async function callBucket(
  { clock, timers, fetch }: BucketDeps,
  bucket: Bucket,
  call: BucketCall,
): Promise<Response> {
  const { method, key, query = {}, contentType, range, content, timeoutMs = usualTimeoutMs } = call
  const url = addressIn(bucket, key)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  const signer = new AwsV4Signer({
    method,
    url: url.href,
    headers: {
      'x-amz-content-sha256': content?.sha256 ?? emptySha256,
      ...(contentType !== undefined && { 'content-type': contentType }),
    },
    allHeaders: true,
    accessKeyId: bucket.keyId,
    secretAccessKey: bucket.secret,
    service: 's3',
    region: bucket.region,
    datetime: new Date(clock.now()).toISOString().replaceAll(/[-:]|\.\d{3}/g, ''),
  })
  const { headers } = await signer.sign()
  // A packed body has no ranges.
  headers.set('accept-encoding', 'identity')
  if (range) headers.set('range', range)
  if (content) headers.set('content-length', String(content.size))
  const start = new AbortController()
  const cancel = timers.after(timeoutMs, () =>
    start.abort(new DOMException('No response came in time', 'TimeoutError')),
  )
  const response = await fetch(url, {
    method,
    headers,
    ...(content && { body: content.body }),
    // A redirect leads to another region, for which the signature is not valid.
    redirect: 'manual',
    signal: AbortSignal.any([start.signal, AbortSignal.timeout(wholeMs)]),
  })
    .catch((cause: unknown) => {
      throw BucketFailure.ofConnection(bucket, cause)
    })
    .finally(cancel)
  if (response.ok) return response
  const beginning = await readBeginning(response, maxErrorLength).catch(() => new Uint8Array())
  throw BucketFailure.ofResponse(bucket, response.status, Buffer.from(beginning).toString('utf8'))
}

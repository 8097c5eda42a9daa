import { readBounded } from '@tollgate/http-client'
import { bucketOf, keyIn, type Bucket } from './bucket'
import { BucketFailure } from './bucket-failure'
import { callBucket, type BucketContent, type BucketDeps } from './call-bucket'
import { AppError } from '../../platform/app-error'
import type { Context } from '../../context'
import { randomHex } from '../../platform/random'

/** The largest object that one call creates: https://docs.aws.amazon.com/AmazonS3/latest/userguide/upload-objects.html */
export const maxObjectBytes = 5 * 1024 ** 3
const uploadMs = 900_000

/** Creates an object, whole or not at all. @throws BucketFailure. */
export async function putObject(
  deps: BucketDeps,
  bucket: Bucket,
  { key, contentType }: { readonly key: string; readonly contentType: string },
  content: BucketContent,
): Promise<void> {
  const response = await callBucket(deps, bucket, { method: 'PUT', key, contentType, content, timeoutMs: uploadMs })
  await response.body?.cancel()
}

/** Resolves with an object, or the range of it that is asked for; null where there is none. @throws BucketFailure. */
export async function getObject(
  deps: BucketDeps,
  bucket: Bucket,
  key: string,
  range: string | null = null,
): Promise<Response | null> {
  try {
    return await callBucket(deps, bucket, { method: 'GET', key, range })
  } catch (error) {
    if (error instanceof BucketFailure && error.status === 404 && error.reason.code !== 's3.bucket_none') return null
    throw error
  }
}

/** An object that is not there counts as deleted. @throws BucketFailure. */
export async function deleteObject(deps: BucketDeps, bucket: Bucket, key: string): Promise<void> {
  const response = await callBucket(deps, bucket, { method: 'DELETE', key })
  await response.body?.cancel()
}

/** A list has at most a thousand keys, of which none is longer than this. */
const maxListBytes = 4 * 1024 * 1024

interface KeyList {
  /** In their order as bytes. */
  readonly keys: readonly string[]
  readonly hasMore: boolean
}

/**
 * Lists keys below the prefix that come after another. https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html
 * @throws BucketFailure.
 */
export async function listObjects(deps: BucketDeps, bucket: Bucket, after: string): Promise<KeyList> {
  const query = { 'list-type': '2', prefix: keyIn(bucket, ''), ...(after !== '' && { 'start-after': after }) }
  const response = await callBucket(deps, bucket, { method: 'GET', key: '', query })
  const list = await readBounded(response, maxListBytes).catch((cause: unknown) => {
    throw BucketFailure.ofConnection(bucket, cause)
  })
  const xml = list.toString('utf8')
  return {
    keys: [...xml.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = '']) => decodeXmlEntities(key)),
    hasMore: xml.includes('<IsTruncated>true</IsTruncated>'),
  }
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** The next list begins after a key, which may be one that others chose. */
const decodeXmlEntities = (text: string): string =>
  text.replaceAll(/&(?:(\w+)|#(\d+)|#x([\da-f]+));/gi, (whole, name?: string, decimal?: string, hex?: string) =>
    name === undefined
      ? String.fromCodePoint(hex ? Number.parseInt(hex, 16) : Number(decimal))
      : (entities[name] ?? whole),
  )

/**
 * Writes, reads, lists and deletes an object with the stored settings, so that an operator who sets the bucket up sees at once what is wrong.
 * @throws AppError `bucket.unset`, `bucket.failed`.
 */
export async function testBucket(
  deps: Pick<Context, 'catalog' | 'clock' | 'fetch' | 'random' | 'timers'>,
): Promise<void> {
  const bucket = bucketOf(deps.catalog.current.options)
  if (!bucket) throw new AppError('bucket.unset')
  const key = keyIn(bucket, `connection-test-${randomHex(deps.random, 8)}`)
  const body = 'A connection test'
  const sha256 = new Bun.CryptoHasher('sha256').update(body).digest('hex')
  try {
    await putObject(deps, bucket, { key, contentType: 'text/plain' }, { body, size: body.length, sha256 })
    const read = await getObject(deps, bucket, key, 'bytes=0-0')
    await read?.body?.cancel()
    await listObjects(deps, bucket, '')
    await deleteObject(deps, bucket, key)
  } catch (cause) {
    if (!(cause instanceof BucketFailure)) throw cause
    throw new AppError('bucket.failed', { params: { reason: cause.reason }, cause })
  }
}

import { AppError } from '../../platform/app-error'
import type { Context } from '../../context'
import { bucketOf, keyIn } from './bucket'
import { BucketFailure } from './bucket-failure'
import { deleteObject, getObject, listObjects, putObject } from './bucket-objects'

/**
 * Writes, reads, lists and deletes an object with the stored settings, so that an operator who sets the bucket up sees at once what is wrong.
 * @throws AppError `bucket.unset`, `bucket.failed`.
 */
export async function testBucket(
  deps: Pick<Context, 'catalog' | 'clock' | 'fetch' | 'random' | 'timers'>,
): Promise<void> {
  const bucket = bucketOf(deps.catalog.current.options)
  if (!bucket) throw new AppError('bucket.unset')
  const key = keyIn(bucket, `connection-test-${Buffer.from(deps.random.bytes(8)).toString('hex')}`)
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

import { keyIn, type Bucket } from './bucket'
import { deleteObject, listObjects } from './bucket-objects'
import type { BucketDeps } from './call-bucket'

/**
 * Deletes the results of days before `oldest`. Days come in the order of keys, so that the first one that stays ends the list.
 * @throws BucketFailure.
 */
export async function pruneBucket(
  deps: BucketDeps,
  bucket: Bucket,
  oldest: string,
  signal: AbortSignal,
): Promise<void> {
  const start = keyIn(bucket, '')
  let after = ''
  while (!signal.aborted) {
    const { keys, hasMore } = await listObjects(deps, bucket, after)
    for (const key of keys) {
      const day = /^(\d{4}-\d{2}-\d{2})\//.exec(key.slice(start.length))?.[1]
      if (day === undefined) continue
      if (day >= oldest || signal.aborted) return
      await deleteObject(deps, bucket, key)
    }
    after = keys.at(-1) ?? ''
    if (!hasMore || after === '') return
  }
}

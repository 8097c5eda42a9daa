import type { Context } from '../context'
import { bucketOf } from './bucket/bucket'
import { BucketFailure } from './bucket/bucket-failure'
import { getObject } from './bucket/bucket-objects'
import { findStoredResult, type StoredFile } from './result-folder'

type Deps = Pick<Context, 'catalog' | 'clock' | 'config' | 'fetch' | 'log' | 'timers'>

/** The bytes of a result, or a part of them. */
export interface OpenResult {
  readonly status: 200 | 206
  readonly contentType: string
  /** The length of the part that is sent and its place in the whole, which a player needs to jump. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer>
}

/** Resolves with the bytes of a result that is kept, or the range of them that is asked for; null where they cannot be had. */
export async function openStored(
  deps: Deps,
  stored: StoredFile,
  range: string | null,
): Promise<OpenResult | Response | null> {
  if (stored.place === 'bucket') return openInBucket(deps, stored.name, range)
  const file = await findStoredResult(deps, stored)
  return file && partOf(file, range)
}

/** Where the bucket fails, the vendor may still have the result. */
async function openInBucket(deps: Deps, key: string, range: string | null): Promise<Response | null> {
  const bucket = bucketOf(deps.catalog.current.options)
  if (!bucket) return null
  try {
    return await getObject(deps, bucket, key, range)
  } catch (error) {
    if (!(error instanceof BucketFailure)) throw error
    // A range outside of the result counts as none, as for a file.
    if (error.status === 416 && range !== null) return openInBucket(deps, key, null)
    deps.log.warn({ error, key }, 'a kept result could not be read from the bucket')
    return null
  }
}

const oneRange = /^bytes=(\d+)-(\d*)$/

/** Returns a file, or the one range of it that is asked for; any other range counts as none (RFC 9110, 14.2). */
function partOf(file: Bun.BunFile, range: string | null): OpenResult {
  const { size, type: contentType } = file
  const [, from, to] = (range === null ? null : oneRange.exec(range)) ?? []
  const start = Number(from ?? 0)
  const end = to === undefined || to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (from === undefined || start > end) {
    const headers = { 'accept-ranges': 'bytes', 'content-length': String(size) }
    return { status: 200, contentType, headers, body: file.stream() }
  }
  const headers = {
    'accept-ranges': 'bytes',
    'content-length': String(end - start + 1),
    'content-range': `bytes ${start}-${end}/${size}`,
  }
  return { status: 206, contentType, headers, body: file.slice(start, end + 1).stream() }
}

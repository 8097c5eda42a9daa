import type { Context } from '../../context'
import type { Queries } from '../../platform/store/database'
import type { FileRow } from '../../platform/store/tables'
import { nextTurn } from '../../platform/time/timers'
import { bucketOf, keyIn } from '../bucket/bucket'
import { deleteObject } from '../bucket/bucket-objects'
import { statesOfResults } from '../batches/batch-lines'
import { removeLines } from '../batches/remove-batches'
import { pieceKey } from './file-store'

type Deps = Pick<Context, 'catalog' | 'clock' | 'database' | 'fetch' | 'timers'>

const filesAtOnce = 20
const piecesAtOnce = 4

/** Removes files that have expired, were deleted, or were never uploaded whole, with their bytes. */
export async function removeExpiredFiles(deps: Deps, signal: AbortSignal): Promise<void> {
  const { clock, database } = deps
  while (!signal.aborted) {
    const rows = await database.query
      .selectFrom('files')
      .selectAll()
      .where('expires_at', '<=', clock.seconds())
      .orderBy('expires_at')
      .limit(filesAtOnce)
      .execute()
    for (const row of rows) if (!signal.aborted) await removeFile(deps, row)
    if (rows.length < filesAtOnce) return
  }
}

/** The row goes last: until then the bytes can be found. */
async function removeFile(deps: Deps, row: FileRow): Promise<void> {
  const { query } = deps.database
  if (row.place === 'bucket') await removeFromBucket(deps, row)
  if (row.batch_id !== '') await removeLines(query, row.batch_id, statesOfResults(row.place))
  await removeAllPieces(query, row.id)
  await query.deleteFrom('files').where('id', '=', row.id).execute()
}

/** Removes the pieces of a file in the database, a few at a time. */
export async function removeAllPieces(query: Queries, fileId: number): Promise<void> {
  let first = piecesAtOnce
  while (await removePieces(query, fileId, first)) {
    first += piecesAtOnce
    // A local database alone never yields to the event loop.
    await nextTurn()
  }
}

/** Removes those below a number, and resolves with whether there are more. */
async function removePieces(query: Queries, fileId: number, below: number): Promise<boolean> {
  await query.deleteFrom('file_chunks').where('file_id', '=', fileId).where('number', '<', below).execute()
  return (
    (await query
      .selectFrom('file_chunks')
      .select('number')
      .where('file_id', '=', fileId)
      .limit(1)
      .executeTakeFirst()) !== undefined
  )
}

async function removeFromBucket(deps: Deps, { public_id: id, chunks }: FileRow): Promise<void> {
  const bucket = bucketOf(deps.catalog.current.options)
  if (!bucket) return
  for (let number = 0; number < chunks; number += 1)
    await deleteObject(deps, bucket, keyIn(bucket, pieceKey(id, number)))
}

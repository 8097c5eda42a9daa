import { AppError } from '../../platform/app-error'
import type { Context } from '../../context'
import type { FileRow } from '../../platform/store/tables'
import { bucketOf, keyIn } from '../bucket/bucket'
import { orAway } from '../bucket/bucket-failure'
import { getObject } from '../bucket/bucket-objects'
import { cipherOf, pieceKey, pieceName } from './file-store'

export type FileDeps = Pick<Context, 'catalog' | 'clock' | 'database' | 'fetch' | 'random' | 'seal' | 'timers'>

/** Yields the bytes of an uploaded file, piece by piece. @throws AppError `file.gone` where a piece is not there any more. */
export async function* readFile(deps: FileDeps, row: FileRow): AsyncGenerator<Buffer<ArrayBuffer>, void> {
  const cipher = cipherOf(deps, row)
  for (let number = 0; number < row.chunks; number += 1) {
    const content = row.place === 'bucket' ? await fromBucket(deps, row, number) : await fromDatabase(deps, row, number)
    if (!content) throw new AppError('file.gone', { params: { id: row.public_id } })
    yield cipher.decrypt(content, pieceName(row.public_id, number))
  }
}

async function fromDatabase({ database }: FileDeps, { id }: FileRow, number: number): Promise<Uint8Array | undefined> {
  const found = await database.query
    .selectFrom('file_chunks')
    .select('content')
    .where('file_id', '=', id)
    .where('number', '=', number)
    .executeTakeFirst()
  return found?.content
}

async function fromBucket(deps: FileDeps, { public_id: id }: FileRow, number: number): Promise<Uint8Array | undefined> {
  const bucket = bucketOf(deps.catalog.current.options)
  const response = bucket && (await orAway(getObject(deps, bucket, keyIn(bucket, pieceKey(id, number)))))
  return response?.bytes()
}

/** Yields the lines of a file, without those that are empty, and their numbers from 1. @throws AppError `file.line_long`, `file.gone`. */
export async function* linesOf(
  pieces: AsyncIterable<Uint8Array>,
  maxLineBytes: number,
): AsyncGenerator<{ readonly number: number; readonly text: string }, void> {
  let rest = Buffer.alloc(0)
  let number = 0
  for await (const piece of pieces) {
    rest = Buffer.concat([rest, piece])
    let start = 0
    for (let end = rest.indexOf(lineFeed); end >= 0; end = rest.indexOf(lineFeed, start)) {
      number += 1
      const text = rest.toString('utf8', start, end).trim()
      start = end + 1
      if (text !== '') yield { number, text: number === 1 ? withoutMark(text) : text }
    }
    rest = rest.subarray(start)
    if (rest.byteLength > maxLineBytes)
      throw new AppError('file.line_long', { params: { line: number + 1, limit: Math.floor(maxLineBytes / 1024) } })
  }
  const last = rest.toString('utf8').trim()
  if (last !== '') yield { number: number + 1, text: number === 0 ? withoutMark(last) : last }
}

const lineFeed = 0x0a
const withoutMark = (text: string): string => (text.startsWith('\uFEFF') ? text.slice(1) : text)

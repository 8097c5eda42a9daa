import { AppError } from '../../platform/app-error'
import type { Context } from '../../context'
import type { FileRow } from '../../platform/store/tables'
import { nextTurn } from '../../platform/time/timers'
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
    // A local database alone never lets others have their turn.
    await nextTurn()
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

/** What is read of a file before the loop serves others. */
const bytesInTurn = 256 * 1024
/** What a line costs besides its bytes, so that short ones count too. */
const lineCost = 64

/** Yields the lines of a file, without those that are empty, and their numbers from 1. @throws AppError `file.line_long`, `file.gone`. */
export async function* linesOf(
  pieces: AsyncIterable<Uint8Array>,
  maxLineBytes: number,
): AsyncGenerator<{ readonly number: number; readonly text: string }, void> {
  const line = new OpenLine(maxLineBytes)
  let number = 1
  let done = 0
  for await (const piece of pieces) {
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
    let start = 0
    for (let end = bytes.indexOf(lineFeed); end >= 0; end = bytes.indexOf(lineFeed, start)) {
      line.add(bytes.subarray(start, end), number)
      done += lineCost + end - start
      start = end + 1
      const text = line.take()
      if (text !== '') yield { number, text }
      number += 1
      if (done < bytesInTurn) continue
      done = 0
      await nextTurn()
    }
    line.add(bytes.subarray(start), number)
  }
  const last = line.take()
  if (last !== '') yield { number, text: last }
}

/** A line whose end was not seen yet, in the pieces in which it comes. */
class OpenLine {
  #parts: Buffer[] = []
  #bytes = 0

  constructor(private readonly maxBytes: number) {}

  add(bytes: Buffer, number: number): void {
    if (bytes.byteLength === 0) return
    this.#bytes += bytes.byteLength
    if (this.#bytes > this.maxBytes)
      throw new AppError('file.line_long', { params: { line: number, limit: Math.floor(this.maxBytes / 1024) } })
    this.#parts.push(bytes)
  }

  /** Returns the text of the line without blanks and marks of byte order around it; the next one begins. */
  take(): string {
    const [first, ...others] = this.#parts
    if (!first) return ''
    const text = (others.length === 0 ? first : Buffer.concat(this.#parts)).toString('utf8').trim()
    this.#parts = []
    this.#bytes = 0
    return text
  }
}

const lineFeed = 0x0a

import { isTextMime, NoInlineForm, objectNames, withInlineFiles, type InlineFile } from '@tollgate/dialects'

import { AppError } from '../../platform/app-error'
import { bodyOf, type ParsedBody } from '../../channels/calls/parsed-body'
import type { Room } from '../../http/limits/byte-budget'
import type { Context } from '../../context'
import type { FileRow } from '../../platform/store/tables'
import { isFileId, ownFiles } from '../../tasks/files/file-store'
import { readFile } from '../../tasks/files/read-file'
import { bytesAMegabyte } from '../../tasks/files/write-file'
import { ownerOf, type Caller } from '../call'

/** As many as a call may name objects at vendors. */
const maxNames = 1000
/** The bytes, their text in base 64, and that text in the request. */
const memoryFactor = 3

/**
 * Resolves with a request that has the files in it which it names and this gateway keeps: it is then a call like any other, which any channel
 * serves. Files at vendors stay as they are named.
 * @throws AppError `file.none`, `file.gone`, `file.inline`, `file.inline_size`, `gateway.memory`.
 */
export async function withFiles(
  body: ParsedBody,
  caller: Caller,
  ctx: Context,
  room?: Pick<Room, 'take'>,
): Promise<ParsedBody> {
  const named = objectNames(body.json).flatMap(({ id }) => (isFileId(id) ? [id] : []))
  const ids = [...new Set(named)]
  if (ids.length > maxNames) throw new AppError('object.many', { params: { limit: maxNames } })
  const rows = await ownFiles(ctx.database.query, ids, ownerOf(caller), ctx.clock.seconds())
  const known = new Map(rows.map((row) => [row.public_id, row]))
  const missing = ids.find((id) => !known.has(id))
  if (missing !== undefined) throw new AppError('file.none', { params: { id: missing } })
  const { maxRequestBodyBytes: maxBytes } = ctx.config
  // Its content is in the request as often as it is named.
  const sizeOf = (bytesOf: (id: string) => number | undefined) => {
    let size = 0
    withInlineFiles(body.json, (id) => {
      size += bytesOf(id) ?? 0
      return undefined
    })
    if (size <= maxBytes) return size
    throw new AppError('file.inline_size', { params: { limit: Math.floor(maxBytes / bytesAMegabyte) } })
  }
  const size = sizeOf((id) => known.get(id)?.bytes)
  room?.take(size * memoryFactor)
  const files = new Map<string, ReadFile>()
  for (const row of rows) files.set(row.public_id, await inlineFile(row, ctx))
  room?.take(sizeOf((id) => files.get(id)?.writtenBytes) - size)
  try {
    return { ...body, ...bodyOf(withInlineFiles(body.json, (id) => files.get(id))) }
  } catch (error) {
    if (!(error instanceof NoInlineForm)) throw error
    const { id, contentType, place } = error
    throw new AppError('file.inline', { params: { id, type: contentType, place } })
  }
}

interface ReadFile extends InlineFile {
  /** With those that JSON adds where it is written as a text. */
  readonly writtenBytes: number
}

async function inlineFile(row: FileRow, ctx: Context): Promise<ReadFile> {
  const pieces: Buffer[] = []
  let writtenBytes = row.bytes
  for await (const piece of readFile(ctx, row)) {
    pieces.push(piece)
    if (isTextMime(row.content_type)) writtenBytes += escapedBytes(piece)
  }
  return { filename: row.filename, contentType: row.content_type, bytes: Buffer.concat(pieces), writtenBytes }
}

/** Text has blanks and line ends. JSON writes any other control character with six. */
const escapes = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte < 0x20 && !'\t\n\r'.includes(String.fromCharCode(byte)) ? 5 : 0,
)

function escapedBytes(bytes: Uint8Array): number {
  let more = 0
  for (const byte of bytes) more += escapes[byte] ?? 0
  return more
}

import { NoInlineForm, objectNames, withInlineFiles, type InlineFile } from '@tollgate/dialects'

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
  const limit = Math.floor(ctx.config.maxRequestBodyBytes / bytesAMegabyte)
  // Its content is in the request as often as it is named.
  let size = 0
  withInlineFiles(body.json, (id) => {
    size += known.get(id)?.bytes ?? 0
    return undefined
  })
  if (size > ctx.config.maxRequestBodyBytes) throw new AppError('file.inline_size', { params: { limit } })
  room?.take(size * memoryFactor)
  const files = new Map<string, InlineFile>()
  for (const row of rows) files.set(row.public_id, await inlineFile(row, ctx))
  try {
    return { ...body, ...bodyOf(withInlineFiles(body.json, (id) => files.get(id))) }
  } catch (error) {
    if (!(error instanceof NoInlineForm)) throw error
    const { id, contentType, place } = error
    throw new AppError('file.inline', { params: { id, type: contentType, place } })
  }
}

async function inlineFile(row: FileRow, ctx: Context): Promise<InlineFile> {
  const pieces: Buffer[] = []
  for await (const piece of readFile(ctx, row)) pieces.push(piece)
  return { filename: row.filename, contentType: row.content_type, bytes: Buffer.concat(pieces) }
}

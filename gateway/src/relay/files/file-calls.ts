import { DialectError } from '@tollgate/dialects'

import { AppError } from '../../platform/app-error'
import type { FileRow } from '../../platform/store/tables'
import { byteStream } from '../../http/response/text-stream'
import { expireFile, listFiles, ownFile } from '../../tasks/files/file-store'
import { resultsOf, statesOfResults } from '../../tasks/batches/batch-lines'
import { batchRow } from '../../tasks/batches/batch-store'
import { readFile } from '../../tasks/files/read-file'
import { ownerOf, type IncomingCall } from '../call'
import type { RelayDeps } from '../call-context'
import { maxIdLength, readingCaller, whenAdmitted } from '../tasks/task-call'
import type { TaskEndpoint } from '../tasks/task-endpoint'
import { fileForm } from './file-object'
import { upload } from './upload'

/** Files of OpenAI's and of Anthropic's API, which have the same addresses: the headers of a call tell which is meant. */
export const fileCalls: readonly TaskEndpoint[] = [
  { method: 'POST', path: /^$/, respond: create },
  { method: 'GET', path: /^$/, respond: list },
  { method: 'GET', path: /^\/([^/]+)$/, respond: retrieve },
  { method: 'DELETE', path: /^\/([^/]+)$/, respond: remove },
  { method: 'GET', path: /^\/([^/]+)\/content$/, respond: download },
]

function create(call: IncomingCall, deps: RelayDeps): Promise<Response> {
  return whenAdmitted(call, deps, (caller) => upload(call, caller, deps))
}

async function list(call: IncomingCall, deps: RelayDeps): Promise<Response> {
  const owner = ownerOf(await readingCaller(call, deps))
  const form = fileForm(call.dialect)
  const parameters = new URLSearchParams(call.query)
  const limit = Number(parameters.get('limit') ?? form.usualLimit)
  if (!Number.isInteger(limit) || limit < 1 || limit > form.maxLimit)
    throw invalid('limit', `expected a number from 1 to ${form.maxLimit}`)
  const order = parameters.get('order') ?? 'desc'
  if (order !== 'asc' && order !== 'desc') throw invalid('order', 'expected asc or desc')
  const before = form.before === null ? null : parameters.get(form.before)
  const cursor = before ?? parameters.get(form.after) ?? parameters.get('page')
  const { query } = deps.ctx.database
  const now = deps.ctx.clock.seconds()
  const after = cursor === null ? null : await ownFile(query, cursor, owner, now)
  if (after === undefined) throw invalid(before === null ? form.after : 'before_id', 'there is no such file')
  const isBackwards = before !== null
  const page = {
    owner,
    purpose: parameters.get('purpose'),
    ids: form.before === null ? [] : [...parameters.getAll('ids'), ...parameters.getAll('ids[]')],
    limit,
    isAscending: (order === 'asc') !== isBackwards,
    after,
  }
  const rows = await listFiles(query, page, now)
  const shown = rows.slice(0, limit)
  return Response.json(form.list(isBackwards ? shown.toReversed() : shown, rows.length > limit))
}

async function retrieve(call: IncomingCall, deps: RelayDeps, id: string): Promise<Response> {
  return Response.json(fileForm(call.dialect).objectOf(await requireFile(call, deps, id)))
}

async function remove(call: IncomingCall, deps: RelayDeps, id: string): Promise<Response> {
  const { ctx } = deps
  const row = await requireFile(call, deps, id)
  await expireFile(ctx.database.query, row.id, ctx.clock.seconds())
  return Response.json(fileForm(call.dialect).deletionOf(row.public_id))
}

async function download(call: IncomingCall, deps: RelayDeps, id: string): Promise<Response> {
  const row = await requireFile(call, deps, id)
  const headers = {
    'content-type': row.content_type,
    'content-length': String(row.bytes),
    // What users upload is never shown as a page of this site.
    'content-disposition': 'attachment',
    'x-content-type-options': 'nosniff',
  }
  const onFailure = (error: unknown) => deps.ctx.log.warn({ error, file: row.public_id }, 'a file could not be read')
  return new Response(byteStream(await contentOf(row, deps), onFailure), { headers })
}

/** Resolves with the bytes of a file, which may be the results of a batch. @throws AppError `file.gone`. */
async function contentOf(row: FileRow, { ctx }: RelayDeps) {
  if (row.batch_id === '') return readFile(ctx, row)
  const batch = await batchRow(ctx.database.query, row.batch_id)
  if (!batch) throw new AppError('file.gone', { params: { id: row.public_id } })
  return resultsOf(ctx, batch, statesOfResults(row.place))
}

/** @throws AppError `file.none`, also for a file of another owner. */
async function requireFile(call: IncomingCall, deps: RelayDeps, id: string): Promise<FileRow> {
  const { clock, database } = deps.ctx
  const row = await ownFile(database.query, id, ownerOf(await readingCaller(call, deps)), clock.seconds())
  if (!row) throw new AppError('file.none', { params: { id: id.slice(0, maxIdLength) } })
  return row
}

const invalid = (param: string, expected: string): DialectError =>
  new DialectError(param, 'invalid_value', `Invalid '${param}': ${expected}.`)

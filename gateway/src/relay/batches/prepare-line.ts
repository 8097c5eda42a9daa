import { DialectError, objectNames } from '@tollgate/dialects'

import type { ParsedBody } from '../../channels/calls/parsed-body'
import type { Catalog } from '../../channels/catalog/catalog'
import type { Context } from '../../context'
import type { Room } from '../../http/limits/byte-budget'
import type { Language } from '../../http/language'
import { namesFiles } from '../../tasks/files/file-store'
import type { CallView } from '../admission/call-view'
import { parseBody } from '../admission/read-body'
import { servingServers } from '../admission/remote-servers'
import type { Caller, ModelCall } from '../call'
import { withFiles } from '../files/inline-files'
import { accessObjects, type ObjectAccess } from '../objects/object-access'
import { admitRequest } from '../stages/admit'
import { endpointAt, isDeferred } from '../stages/endpoint'
import { quoteOf, type Quote } from '../stages/quote'

/** What the calls of a batch have in common. */
export interface LineCallFacts {
  readonly batchId: string
  readonly path: string
  /** One for all: the runtime keeps more of each than it knows, so that ten thousand would stay for a long time. */
  readonly request: Request
  readonly clientIp: string
  readonly language: Language
}

/** Returns the request that the calls of a batch have in common. */
export const lineRequest = (path: string, headers: Readonly<Record<string, string>>): Request =>
  new Request(`http://batch.invalid${path}`, { method: 'POST', headers })

/** Returns the call of one line, as if its client had made it alone. Undefined for a path that calls no model. */
export function lineCall(
  { batchId, path, request, clientIp, language }: LineCallFacts,
  requestId: string,
  catalog: Catalog,
  { clock }: Pick<Context, 'clock'>,
): ModelCall | undefined {
  const addressed = endpointAt(path)
  if (!addressed) return undefined
  const { endpoint, pathContext } = addressed
  return {
    request,
    requestId,
    method: 'POST',
    path,
    query: '',
    dialect: endpoint.dialect,
    hasNumericErrorCodes: false,
    clientIp,
    language,
    catalog,
    startedAt: clock.monotonic(),
    trace: null,
    findings: { caller: null, model: '', requests: null, tokens: null },
    endpoint,
    pathContext,
    taskId: batchId,
  }
}

/** A line that may be called, and what it may cost. */
export interface PreparedLine {
  readonly body: ParsedBody
  readonly view: CallView
  readonly objects: ObjectAccess | null
  readonly quote: Quote
  /** It says itself all that it needs, and any account of any vendor may be asked for it as it is. */
  readonly isPlain: boolean
}

interface PrepareOptions {
  readonly ctx: Context
  /** For prices that depend on the hour. */
  readonly unixMs: number
  readonly at?: 'here' | 'vendor'
  /** The memory for the files that it names. Absent: one line is read after the other. */
  readonly room?: Pick<Room, 'take'>
}

/**
 * Reads the body of a line as that of any call, with the files that it names, and prices it.
 * @throws AppError, DialectError.
 */
export async function prepareLine(
  call: ModelCall,
  caller: Caller,
  text: string,
  { ctx, unixMs, at = 'here', room }: PrepareOptions,
): Promise<PreparedLine> {
  const own = await parseBody(text, call.dialect)
  if (own.json['stream'] === true)
    throw new DialectError('stream', 'invalid_value', "Invalid 'stream': the calls of a batch cannot be streamed.")
  const { deferredBy } = call.endpoint
  if (isDeferred(call.endpoint, own))
    throw new DialectError(
      deferredBy,
      'invalid_value',
      `Invalid '${deferredBy}': the calls of a batch run in the background already.`,
    )
  const isNaming = call.catalog.options.FilesEnabled && namesFiles(objectNames(own.json))
  const body = isNaming ? await withFiles(own, caller, ctx, room) : own
  const shown = admitRequest(call, caller, body, ctx)
  const names = objectNames(body.json)
  const access = names.length === 0 ? null : await accessObjects(names, { ...call, caller, view: shown }, body, ctx)
  const view: CallView = { ...(access?.view ?? shown), batchedAt: at }
  const objects = access?.objects ?? null
  const quote = quoteOf(call, { caller, body, view }, unixMs)
  const isPlain =
    body === own &&
    objects === null &&
    (view.modelChoice?.reason ?? null) === null &&
    quote.searchPrice === null &&
    servingServers({ call, body, view }) === undefined
  return { body, view, objects, quote, isPlain }
}

import type { TaskResult } from '@tollgate/providers'

import { AppError } from '../../platform/app-error'
import type { TaskRow } from '../../platform/store/tables'
import { openResult } from '../../tasks/open-result'
import { readResults } from '../../tasks/task-store'
import type { IncomingCall } from '../call'
import type { RelayDeps } from '../call-context'

/** Which result of a task is wanted. */
export interface RequestedResult {
  readonly kind: TaskResult['kind']
  /** Among those of its kind; 0 is the first. */
  readonly index: number
}

/**
 * Resolves with the bytes of a result, or with the range that the client asks for. They pass through the gateway, so that no address of an
 * upstream reaches a client.
 * @throws AppError `task.result_none`, `upstream.failed`; UpstreamError.
 */
export const contentOf = (
  row: TaskRow,
  { kind, index }: RequestedResult,
  call: Pick<IncomingCall, 'request'>,
  deps: Pick<RelayDeps, 'ctx'>,
): Promise<Response> => contentAt(row, readResults(row).filter((one) => one.kind === kind)[index], call, deps)

/** The same for a result of the task; undefined: it has no such result. */
export async function contentAt(
  row: TaskRow,
  result: TaskResult | undefined,
  { request }: Pick<IncomingCall, 'request'>,
  { ctx }: Pick<RelayDeps, 'ctx'>,
): Promise<Response> {
  if (!result) throw new AppError('task.result_none', { params: { id: row.public_id } })
  const { status, contentType, headers, body } = await openResult(ctx, row, result, request.headers.get('range'))
  return new Response(body, { status, headers: { ...headers, 'content-type': contentType } })
}

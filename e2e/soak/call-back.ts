import { endedTaskStatuses } from '@tollgate/contract'

import type { Seal } from '../../gateway/src/platform/store/seal'
import { callbackPathOf } from '../../gateway/src/tasks/callback-url'
import type { Queries } from '../ledger-audit'

export interface CallBackOptions {
  readonly url: string
  /** That of the gateway, which signs the addresses of callbacks. */
  readonly seal: Seal
  readonly queries: Queries
}

const timeoutMs = 2000

export const isOpenTask = `status not in (${endedTaskStatuses.map((status) => `'${status}'`).join(', ')})`

/** Calls back about each accepted task that would be polled later, as its vendor would. */
export async function callBack({ url, seal, queries }: CallBackOptions): Promise<void> {
  const waiting = await queries.rows<{ public_id: string }>(
    `select public_id from tasks where ${isOpenTask} and vendor_id <> '' and poll_at > ${Date.now()}`,
  )
  for (const { public_id: id } of waiting)
    // A gateway that is away is told the next time.
    await fetch(url + callbackPathOf({ seal }, id), {
      method: 'POST',
      keepalive: false,
      signal: AbortSignal.timeout(timeoutMs),
    }).catch(() => null)
}

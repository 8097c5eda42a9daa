import type { TaskProtocol, TaskReport } from '@tollgate/providers'

import { UpstreamError } from '../channels/calls/upstream-error'
import type { Context } from '../context'
import { mask } from '../platform/text/mask'
import { callVendor, taskTarget, type TaskAccount } from './vendor-call'

type Deps = Pick<Context, 'clock' | 'config' | 'catalog' | 'database' | 'fetch' | 'log' | 'seal' | 'timers'>

/** What a vendor reported about some tasks, by their ids there. One that is missing is unknown to it. */
export type Reports = ReadonlyMap<string, TaskReport>

/** Asks a vendor how tasks are doing. Resolves with null, and logs why, where it cannot be asked. */
export async function queryVendor(
  deps: Deps,
  { account, protocol }: { readonly account: TaskAccount; readonly protocol: TaskProtocol },
  ids: readonly string[],
): Promise<Reports | null> {
  try {
    const reply = await callVendor(deps, account, protocol, protocol.fetch(ids, taskTarget(deps, account)))
    // A vendor that is asked about one task says by its status that it does not know it.
    if (reply.status === 404 && protocol.batch === 1) return new Map()
    if (reply.status < 200 || reply.status >= 300) throw new TypeError(`HTTP ${reply.status}`)
    return new Map(protocol.readReports(reply, ids).map((report) => [report.vendorId, report]))
  } catch (error) {
    if (!(error instanceof UpstreamError) && !(error instanceof TypeError)) throw error
    const message = mask(error.message, [account.key.value])
    deps.log.warn(
      { channel: account.channel.id, tasks: ids.length, message },
      'a vendor could not be asked about tasks',
    )
    return null
  }
}

import { channelRoutes } from '@tollgate/contract'

import type { Site } from './site'

/** Long enough for every worker to have heard of the change and read the catalog anew. */
const watchMs = 1500
const rounds = 5

export interface Swap {
  /** Milliseconds until an edit was answered, the longest of some. */
  readonly edit: number
  /** Milliseconds for which another call had to wait while the catalog was read and swapped, at the most. */
  readonly held: number
}

/** Edit a channel, and see how long a call that asks nothing of the database waits meanwhile. */
export async function measureSwap({ admin, gateway }: Site): Promise<Swap> {
  let edit = 0
  let held = 0
  for (let round = 0; round < rounds; round += 1) {
    const startedAt = performance.now()
    const edited = editChannel(admin, round).then((took) => Math.max(edit, took))
    while (performance.now() - startedAt < watchMs) {
      const askedAt = performance.now()
      await (await fetch(`${gateway.url}/health/live`)).text()
      held = Math.max(held, performance.now() - askedAt)
    }
    edit = await edited
  }
  return { edit, held }
}

async function editChannel(admin: Site['admin'], round: number): Promise<number> {
  const startedAt = performance.now()
  await admin.call(channelRoutes.updateChannel, { body: { id: 1, name: `channel 1, edited ${round}` } })
  return performance.now() - startedAt
}

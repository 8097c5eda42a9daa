import { channelRoutes } from '@tollgate/contract'

import { heldWhile } from '../held'
import type { Site } from './site'

const rounds = 5

export interface Swap {
  /** Milliseconds until an edit was answered, the longest of some. */
  readonly edit: number
  /** The longest that another call had to wait while the catalog was read and swapped, in milliseconds. */
  readonly held: number
}

/** Edit a channel, and see how long a call that asks nothing of the database waits meanwhile. */
export async function measureSwap({ admin, gateway }: Site): Promise<Swap> {
  let edit = 0
  let held = 0
  for (let round = 0; round < rounds; round += 1) {
    const change = async () => {
      edit = Math.max(edit, await editChannel(admin, round))
    }
    held = Math.max(held, await heldWhile(gateway.url, change))
  }
  return { edit, held }
}

async function editChannel(admin: Site['admin'], round: number): Promise<number> {
  const startedAt = performance.now()
  await admin.call(channelRoutes.updateChannel, { body: { id: 1, name: `channel 1, edited ${round}` } })
  return performance.now() - startedAt
}

import { minuteMs } from '@tollgate/contract'

import type { Context } from '../../context'
import type { Job } from './job'

/** Removes files and batches that have expired or were deleted, with their bytes. What it does is loaded when there are some. */
export const removeFiles = (context: Context): Job => ({
  name: 'remove-files',
  everyMs: minuteMs,
  async run(signal) {
    const { query } = context.database
    const now = context.clock.seconds()
    if (await query.selectFrom('files').select('id').where('expires_at', '<=', now).limit(1).executeTakeFirst()) {
      const { removeExpiredFiles } = await import('../../tasks/files/remove-files')
      await removeExpiredFiles(context, signal)
    }
    const ofBatches = query.selectFrom('batches').select('task_id').where('expires_at', '<=', now)
    if (await ofBatches.where('claimed_until', 'is', null).limit(1).executeTakeFirst()) {
      const { removeExpiredBatches } = await import('../../tasks/batches/remove-batches')
      await removeExpiredBatches(context, signal)
    }
  },
})

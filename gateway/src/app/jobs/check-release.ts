import { hourMs, daySeconds } from '@tollgate/contract'
import type { Context } from '../../context'
import type { Job } from './job'

/** Looks for a newer release once a day, where the options have an address for it. */
export const checkRelease = (ctx: Pick<Context, 'catalog' | 'clock' | 'database' | 'outbound'>): Job => ({
  name: 'check-release',
  everyMs: hourMs,
  async run() {
    if (ctx.catalog.current.options.VersionCheckUrl === '') return
    // Loaded only where it is used.
    const { askForRelease, readRelease } = await import('../../operations/release-news')
    const { news } = await readRelease(ctx)
    if (news && ctx.clock.seconds() - news.checked_at < daySeconds) return
    await askForRelease(ctx)
  },
})

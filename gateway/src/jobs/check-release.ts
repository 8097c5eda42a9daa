import type { Context } from '../context'
import type { Job } from './job'

const hourMs = 3_600_000
const daySeconds = 86_400

/** Look for a newer release once a day, where the options name an address to ask. */
export const checkRelease = (ctx: Pick<Context, 'catalog' | 'clock' | 'database' | 'outbound'>): Job => ({
  name: 'check-release',
  everyMs: hourMs,
  async run() {
    if (ctx.catalog.current.options.VersionCheckUrl === '') return
    // Loaded where it is asked for at all.
    const { askForRelease, readRelease } = await import('../upkeep/release-news')
    const { news } = await readRelease(ctx)
    if (news && ctx.clock.now() / 1000 - news.checked_at < daySeconds) return
    await askForRelease(ctx)
  },
})

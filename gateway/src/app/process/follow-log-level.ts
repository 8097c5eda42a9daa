import type { Context } from '../../context'
import { logLevelNote } from '../../platform/store/site-notes'

type Deps = Pick<Context, 'changes' | 'clock' | 'config' | 'database' | 'log' | 'timers'>

/** Keeps the level of this worker's log at what was set at run time for all, and returns to the configured one in time. */
export function followLogLevel(ctx: Deps): void {
  let cancel = () => {}
  async function follow() {
    const { levelNow } = await import('../../platform/store/log-level')
    const { level, until } = await levelNow(ctx)
    ctx.log.level = level
    cancel()
    if (until === null) return
    cancel = ctx.timers.after(until * 1000 - ctx.clock.now(), () => (ctx.log.level = ctx.config.logLevel))
  }
  const followSafely = () =>
    follow().catch((error: unknown) => ctx.log.warn({ error }, 'the level of the log could not be read'))
  ctx.changes.listen(async (news) => {
    if (news.some(({ topic }) => topic === 'log-level')) await followSafely()
  })
  void ctx.database.query
    .selectFrom('site_notes')
    .select('name')
    .where('name', '=', logLevelNote)
    .executeTakeFirst()
    .then((row) => row && followSafely(), followSafely)
}

import { describe, expect, test } from 'bun:test'

import { createChannelWorld } from '../../../test/channel-world'
import { kinds } from '../../../test/kinds'
import { setOptionsIn } from '../../../test/options'
import { runProgress } from '../../channels/channel-run'
import { Jobs } from './jobs'
import { testChannels } from './job-table'

for (const kind of kinds) {
  describe(`jobs (${kind})`, () => {
    test('one worker runs the jobs, and hands them over when it stops', async () => {
      await using world = await createChannelWorld(kind)
      const context = world.ctx
      const [one, two] = [new Jobs({ context, holderId: 'one' }), new Jobs({ context, holderId: 'two' })]
      const holder = async () => {
        const { query } = context.database
        return (await query.selectFrom('locks').select('holder').where('name', '=', 'jobs').executeTakeFirst())?.holder
      }
      await one.start()
      await two.start()
      expect(await holder()).toBe('one')
      await one.stop()
      expect(await holder()).toBeUndefined()
      await two.stop()
    })

    test('all channels are tested where the options say so, and not again before their time', async () => {
      await using world = await createChannelWorld(kind)
      const { ctx } = world
      let calls = 0
      const vendor = Bun.serve({
        port: 0,
        fetch: () => {
          calls += 1
          return Response.json({ id: 'x', choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' } }] })
        },
      })
      await world.aChannel({ base_url: `http://127.0.0.1:${vendor.port}` })
      const job = testChannels(ctx)
      const { signal } = new AbortController()
      await job.run(signal)
      expect(calls).toBe(0)
      await ctx.database.query
        .insertInto('options')
        .values({ key: 'monitor_setting.auto_test_channel_enabled', value: 'true' })
        .execute()
      await ctx.catalog.rebuild()
      await job.run(signal)
      await job.run(signal)
      expect(calls).toBe(1)
      expect(await runProgress(ctx, 'channel-test')).toMatchObject({ is_running: false, total: 1, done: 1, failed: 0 })
      await ctx.database.query
        .updateTable('counters')
        .set((eb) => ({ value: eb('value', '-', 601) }))
        .where('name', '=', 'channel-test.started_at')
        .execute()
      await job.run(signal)
      expect(calls).toBe(2)
      await setOptionsIn(ctx, { 'monitor_setting.auto_test_channel_minutes': '1' })
      await ctx.database.query
        .updateTable('counters')
        .set((eb) => ({ value: eb('value', '-', 61) }))
        .where('name', '=', 'channel-test.started_at')
        .execute()
      await job.run(signal)
      expect(calls).toBe(3)
      await vendor.stop(true)
    })
  })
}

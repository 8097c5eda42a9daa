import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import {
  maxLogViewLength,
  maxLogViews,
  readUserSetting,
  type LogView,
  ApiError,
  accountRoutes,
  type RouteSent,
} from '@tollgate/contract'

import { anAccount, createTestConsole, type TestConsole } from '../../../test/console-client'
import { kinds, onceOf } from '../../../test/kinds'
import { createWorld, type World } from '../../../test/world'
import { webhookSecret } from '../../messaging/notices/webhooks'
import { selfHandlers } from './account'

type Setting = RouteSent<typeof accountRoutes.updateSetting>['body']

const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => 'success',
    (error: unknown) => (error instanceof ApiError ? error.code : error),
  )

describe.each(kinds)('the own settings (%s)', (kind) => {
  const once = onceOf(kind)

  let world: World
  let site: TestConsole
  beforeAll(async () => {
    world = await createWorld({ kind })
    site = createTestConsole(world.ctx, selfHandlers)
  })
  afterAll(() => world[Symbol.asyncDispose]())

  test('given settings change, the others stay, and they are in force at once', async () => {
    const { id } = await anAccount(world.ctx)
    const signedIn = await site.signIn(id)
    const client = site.client(signedIn)
    const set = (body: Setting) => failureOf(client.call(accountRoutes.updateSetting, { body }))
    const setting = async () => JSON.parse((await client.call(accountRoutes.getSelf)).setting)
    expect(await world.ctx.accounts.byUserId(id)).toMatchObject({ isIpLogged: false, acceptsUnpricedModels: false })
    expect(await set({ show_ip_in_logs: true, accept_unset_model_ratio_model: true })).toBe('success')
    expect(await world.ctx.accounts.byUserId(id)).toMatchObject({ isIpLogged: true, acceptsUnpricedModels: true })
    const webhook = { notify_type: 'webhook', webhook_url: 'https://hook.example/', webhook_secret: 'canary' }
    expect(await set({ ...webhook, quota_warning_threshold: 5 })).toBe('success')
    expect(await set({ webhook_secret: '', notification_email: 'ann@example.com', language: 'en' })).toBe('success')
    expect(await setting()).toEqual({
      show_ip_in_logs: true,
      accept_unset_model_ratio_model: true,
      notify_type: 'webhook',
      webhook_url: 'https://hook.example/',
      quota_warning_threshold: 5,
      notification_email: 'ann@example.com',
      language: 'en',
    })
    const row = await world.ctx.database.query
      .selectFrom('users')
      .select(['setting', 'webhook_secret_sealed'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(row.setting).not.toContain('canary')
    expect(webhookSecret(world.ctx, id, row.webhook_secret_sealed)).toBe('canary')
  })

  once('views of the log are stored in the account, within limits of number and size', async () => {
    const { id } = await anAccount(world.ctx)
    const client = site.client(await site.signIn(id))
    const keep = (log_views: LogView[]) => failureOf(client.call(accountRoutes.updateSetting, { body: { log_views } }))
    const readViews = async () => readUserSetting(await client.call(accountRoutes.getSelf)).log_views
    expect(await readViews()).toEqual([])
    const views = [{ name: 'Slow', search: { slow: 10, not: { model: ['gpt-4o'] } } }]
    expect(await keep(views)).toBe('success')
    expect(await readViews()).toEqual(views)
    const view = { name: 'Large', search: { model: 'x'.repeat(maxLogViewLength) } }
    expect(await keep([view])).toBe('input.invalid')
    expect(await keep(Array(maxLogViews + 1).fill(views[0]))).toBe('input.invalid')
    expect(await readViews()).toEqual(views)
  })

  once.each([
    [{ notify_type: 'pigeon' }, 'setting.notify_type'],
    [{ quota_warning_threshold: 0 }, 'setting.threshold'],
    [{ quota_warning_threshold: 2 ** 63 }, 'input.invalid'],
    [{ notify_type: 'webhook' }, 'setting.webhook_empty'],
    [{ webhook_url: 'http://hook.example' }, 'setting.webhook'],
    [{ webhook_url: 'https://' }, 'setting.webhook'],
    [{ webhook_url: 'https://ann:pass@hook.example' }, 'setting.webhook'],
    [{ notification_email: 'ann' }, 'setting.email'],
  ])('a setting that breaks its rule is refused: %j', async (body, code) => {
    const signedIn = await site.signIn((await anAccount(world.ctx)).id)
    expect(await failureOf(site.client(signedIn).call(accountRoutes.updateSetting, { body }))).toBe(code)
  })
})

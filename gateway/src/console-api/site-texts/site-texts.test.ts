import { describe, expect, test } from 'bun:test'

import { optionRoutes, role, siteTextRoutes, statusRoutes } from '@tollgate/contract'

import { anAccount, createTestConsole } from '../../../test/console-client'
import { createWorld } from '../../../test/world'
import { optionHandlers } from '../options/options'
import { statusHandlers } from '../status/status'
import { siteTextHandlers } from './site-texts'

describe('the texts of a site', () => {
  test.each([
    ['HomePageContent', siteTextRoutes.homePageContent],
    ['About', siteTextRoutes.about],
    ['Notice', siteTextRoutes.notice],
  ] as const)('%s can be read by everyone', async (key, route) => {
    await using world = await createWorld()
    const site = createTestConsole(world.ctx, [...optionHandlers, ...siteTextHandlers])
    expect(await site.client().call(route)).toBe('')
    const root = await anAccount(world.ctx, { role: role.root })
    await site.client(await site.signIn(root.id)).call(optionRoutes.setOption, { body: { key, value: '# Hello' } })
    expect(await site.client().call(route)).toBe('# Hello')
  })

  test('the status identifies the announcement by its text', async () => {
    await using world = await createWorld()
    const site = createTestConsole(world.ctx, [...optionHandlers, ...statusHandlers])
    const root = await anAccount(world.ctx, { role: role.root })
    const admin = site.client(await site.signIn(root.id))
    const idOf = async (value: string) => {
      await admin.call(optionRoutes.setOption, { body: { key: 'Notice', value } })
      return (await site.client().call(statusRoutes.getStatus)).notice_id
    }
    const first = await idOf('Maintenance on Sunday')
    expect(first).toMatch(/^[0-9a-f]{16}$/)
    expect(await idOf('Maintenance on Monday')).not.toBe(first)
    expect(await idOf('Maintenance on Sunday')).toBe(first)
    expect(await idOf(' ')).toBe('')
  })
})

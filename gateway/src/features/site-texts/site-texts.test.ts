import { describe, expect, test } from 'bun:test'

import { optionRoutes, role, siteTextRoutes } from '@tollgate/contract'

import { anAccount, createTestConsole } from '../../../test/console-client'
import { kinds } from '../../../test/kinds'
import { createWorld } from '../../../test/world'
import { optionHandlers } from '../options/options'
import { siteTextHandlers } from './site-texts'

describe.each(kinds)('the texts of a site (%s)', (kind) => {
  test.each([
    ['HomePageContent', siteTextRoutes.homePageContent],
    ['About', siteTextRoutes.about],
    ['Notice', siteTextRoutes.notice],
  ] as const)('%s is read by everyone', async (key, route) => {
    await using world = await createWorld({ kind })
    const site = createTestConsole(world.ctx, [...optionHandlers, ...siteTextHandlers])
    expect(await site.client().call(route)).toBe('')
    const root = await anAccount(world.ctx, { role: role.root })
    await site.client(await site.signIn(root.id)).call(optionRoutes.setOption, { body: { key, value: '# Hello' } })
    expect(await site.client().call(route)).toBe('# Hello')
  })
})

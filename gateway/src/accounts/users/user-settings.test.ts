import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { accountRoutes, sessionRoutes } from '@tollgate/contract'

import { anAccount, createTestConsole, type TestConsole } from '../../../test/console-client'
import { kinds } from '../../../test/kinds'
import { createWorld, type World } from '../../../test/world'
import { selfHandlers } from '../../console-api/account/account'
import { sessionHandlers } from '../../console-api/account/sessions'
import { chosenLanguage } from './user-settings'

test.each([
  ['{"language":"en"}', 'en'],
  ['{"language":"zh","show_ip_in_logs":true}', 'zh'],
  ['{"language":"fr"}', undefined],
  ['{}', undefined],
  ['', undefined],
] as const)('the settings %p have the language %p', (setting, language) => {
  expect(chosenLanguage(setting)).toBe(language)
})

const password = 'correct horse'

describe.each(kinds)('mails to an owner (%s)', (kind) => {
  let world: World
  let site: TestConsole
  beforeAll(async () => {
    world = await createWorld({ kind })
    site = createTestConsole(world.ctx, [...selfHandlers, ...sessionHandlers])
  })
  afterAll(() => world[Symbol.asyncDispose]())

  test.each([
    ['zh', 'zh'],
    [undefined, 'en'],
  ] as const)(
    'mails with the chosen language %p are in %p for a caller who speaks English',
    async (chosen, language) => {
      const email = `${chosen ?? 'none'}@${kind}.test`
      const { id, username } = await anAccount(world.ctx, { password, email })
      await world.ctx.database.query.updateTable('users').set({ created_at: 1 }).where('id', '=', id).execute()
      const client = site.client(await site.signIn(id))
      if (chosen) await client.call(accountRoutes.updateSetting, { body: { language: chosen } })
      await site.client().call(sessionRoutes.logIn, { body: { username, password } })
      const body = { password: 'another horse', original_password: password }
      await client.call(accountRoutes.updateSelf, { body })
      const mails = await world.ctx.database.query
        .selectFrom('mails')
        .select(['kind', 'language'])
        .where('recipient', '=', email)
        .orderBy('kind')
        .execute()
      expect(mails).toEqual([
        { kind: 'new-device', language },
        { kind: 'password-changed', language },
      ])
    },
  )
})

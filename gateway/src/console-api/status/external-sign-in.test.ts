import { expect, test } from 'bun:test'

import { statusRoutes } from '@tollgate/contract'

import { createTestConsole } from '../../../test/console-client'
import { setOptionsIn } from '../../../test/options'
import { createWorld } from '../../../test/world'
import { statusHandlers } from './status'

test('the public status has the enabled ways to sign in, and what a page needs for them', async () => {
  await using world = await createWorld()
  const client = createTestConsole(world.ctx, statusHandlers).client()
  const before = await client.call(statusRoutes.getStatus)
  for (const [key, value, member, expected] of [
    ['GitHubOAuthEnabled', 'true', 'github_oauth', true],
    ['GitHubClientId', 'gh', 'github_client_id', 'gh'],
    ['oidc.enabled', 'true', 'oidc_enabled', true],
    ['oidc.client_id', 'id', 'oidc_client_id', 'id'],
    [
      'oidc.authorization_endpoint',
      'https://id.example/auth',
      'oidc_authorization_endpoint',
      'https://id.example/auth',
    ],
    ['LinuxDOOAuthEnabled', 'true', 'linuxdo_oauth', true],
    ['LinuxDOClientId', 'ld', 'linuxdo_client_id', 'ld'],
    ['WeChatAuthEnabled', 'true', 'wechat_login', true],
    ['WeChatAccountQRCodeImageURL', '/qr.png', 'wechat_qrcode', '/qr.png'],
    ['TelegramBotName', 'gate_bot', 'telegram_bot_name', 'gate_bot'],
    ['TelegramOAuthEnabled', 'true', 'telegram_oauth', true],
    ['RegisterEnabled', 'false', 'register_enabled', false],
  ] as const) {
    await setOptionsIn(world.ctx, { [key]: value })
    const after = await client.call(statusRoutes.getStatus)
    expect([before[member], after[member]]).toEqual([typeof expected === 'boolean' ? !expected : '', expected])
  }
  expect(before.oidc_display_name).toBe('OIDC')
  for (const [name, shown] of [
    [' Acme SSO ', 'Acme SSO'],
    [' ', 'OIDC'],
  ] as const) {
    await setOptionsIn(world.ctx, { 'oidc.display_name': name })
    expect((await client.call(statusRoutes.getStatus)).oidc_display_name).toBe(shown)
  }
  await setOptionsIn(world.ctx, { TelegramBotName: '' })
  expect((await client.call(statusRoutes.getStatus)).telegram_oauth).toBe(false)
  const secrets = { GitHubClientSecret: 's3cret', 'oidc.client_secret': 's3cret', TelegramBotToken: 's3cret' }
  await setOptionsIn(world.ctx, { ...secrets, LinuxDOClientSecret: 's3cret', WeChatServerToken: 's3cret' })
  expect(JSON.stringify(await client.call(statusRoutes.getStatus))).not.toContain('s3cret')
})

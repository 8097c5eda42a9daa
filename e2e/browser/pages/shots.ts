import type { Page } from 'playwright-core'

import { pages } from '../../../console/src/app/pages'
import { settingsPages } from '../../../console/src/features/settings/settings-pages'
import { user } from './furnish'
import { peopleShots } from './people-shots'
import type { Shot } from './shot'
import { taskShots } from './task-shots'

/** Offers models that no channel of the site has. */
const offers = (makes: string, models: readonly string[]) => async (page: Page) => {
  await page.route(`**/api/user/models?makes=${makes}`, (route) =>
    route.fulfill({ json: { success: true, message: '', data: models } }),
  )
}

/** A picture of one colour, stretched to its place. */
const kite = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** Pages in every state worth a picture. */
const lines: readonly Shot[] = [
  { name: 'setup', path: '/setup', isFirstVisit: true },
  { name: 'login', path: '/login' },
  { name: 'login-expired', path: '/login?expired=true' },
  { name: 'register', path: '/register?aff=q7Xk' },
  { name: 'reset', path: '/reset' },
  { name: 'reset-password', path: '/user/reset?email=ada%40example.com&token=of-a-mail' },
  { name: 'reset-invalid', path: '/user/reset' },
  { name: 'home', path: '/' },
  { name: 'about', path: '/about' },
  { name: 'pricing', path: '/pricing' },
  { name: 'pricing-peek', path: '/pricing?open=gpt-4o&calculator=true', isOpening: true },
  { name: 'not-found', path: '/no/such/page' },
  { name: 'wallet', path: '/app/wallet?code=WELCOME-2026', as: 'user' },
  {
    name: 'wallet-confirm',
    path: '/app/wallet',
    as: 'user',
    act: async (page) => {
      await page.getByRole('button', { name: /^\$100/ }).click()
      await page.getByRole('button', { name: /^(?:Top up|充值)$/ }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  { name: 'topup-success', path: '/app/wallet/topup-success', as: 'user' },
  {
    name: 'document',
    path: '/app/wallet',
    as: 'user',
    act: async (page) => {
      await page
        .getByRole('button', { name: /^(?:Invoice|账单)$/ })
        .first()
        .click()
      const issue = page.getByRole('button', { name: /^(?:Issue|开具)$/ })
      const sheet = page.getByRole('article')
      await issue.or(sheet).first().waitFor()
      if (await issue.isVisible()) await issue.click()
      await sheet.waitFor()
    },
  },
  { name: 'my-plans', path: '/app/plans', as: 'user' },
  {
    name: 'plan-buy',
    path: '/app/plans',
    as: 'user',
    act: async (page) => {
      await page.getByRole('button', { name: /^(?:Buy|购买): Professional$/ }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'plan-change',
    path: '/app/plans',
    as: 'user',
    act: async (page) => {
      await page.getByRole('button', { name: /^(?:Change plan|变更套餐)$/ }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  { name: 'tokens', path: '/app/tokens', as: 'user' },
  { name: 'tokens-none-found', path: '/app/tokens?keyword=nothing-is-called-so', as: 'user' },
  { name: 'token-new', path: '/app/tokens?edit=new', as: 'user', isOpening: true },
  { name: 'token-limits', path: '/app/tokens?limits={limitedTokenId}', as: 'user', isOpening: true },
  { name: 'tokens-near', path: '/app/tokens?near=true', as: 'user' },
  { name: 'token-edit', path: '/app/tokens?edit={tokenId}', as: 'user', isOpening: true },
  { name: 'connect', path: '/app/connect?client=codex&token={tokenId}', as: 'user' },
  {
    name: 'connect-tested',
    path: '/app/connect?client=claude-code&token={tokenId}',
    as: 'user',
    act: async (page) => {
      await page.getByRole('button', { name: /^(?:Send|发送请求)$/ }).click()
      await page
        .getByText(/\$0\.\d+/)
        .first()
        .waitFor()
    },
  },
  { name: 'connect-no-key', path: '/app/connect?client=cline', as: 'user' },
  { name: 'channels', path: '/admin/channels', as: 'root' },
  { name: 'channel-peek', path: '/admin/channels?open={channelId}', as: 'root', isOpening: true },
  { name: 'routing', path: '/admin/routing?model=gpt-4o', as: 'root' },
  { name: 'channel-new', path: '/admin/channels?edit=new', as: 'root', isOpening: true },
  { name: 'channel-edit', path: '/admin/channels?edit={channelId}', as: 'root', isOpening: true },
  {
    name: 'channel-own-login',
    path: '/admin/channels?edit={loginChannelId}',
    as: 'root',
    isOpening: true,
  },
  { name: 'coupons', path: '/admin/coupons', as: 'root' },
  { name: 'coupon-new', path: '/admin/coupons?edit=new', as: 'root', isOpening: true },
  { name: 'inbox', path: '/app/inbox', as: 'user' },
  { name: 'message', path: '/app/inbox/{messageId}', as: 'user' },
  { name: 'messages', path: '/admin/messages', as: 'root' },
  {
    name: 'message-new',
    path: '/admin/messages?edit=new',
    as: 'root',
    isOpening: true,
    act: async (page) => {
      await page.getByRole('checkbox', { name: /^ana/ }).check()
      await page.getByRole('textbox', { name: /^(?:Title|标题)$/ }).fill('Maintenance on Sunday')
    },
  },
  { name: 'message-edit', path: '/admin/messages?edit={messageId}', as: 'root', isOpening: true },
  { name: 'orders', path: '/admin/orders', as: 'root' },
  {
    name: 'order-peek',
    path: '/admin/orders?problem=any',
    as: 'root',
    act: async (page) => {
      await page.getByText(/^USR/).first().click()
      await page.getByText(/^(?:Reported by the provider|支付通知)$/).waitFor()
    },
  },
  {
    name: 'order-refund',
    path: '/admin/orders?status=paid',
    as: 'root',
    act: async (page) => {
      await page
        .getByRole('button', { name: /^(?:More actions for order|订单 USR)/ })
        .first()
        .click()
      await page.getByRole('menuitem', { name: /^(?:Refund|退款)$/ }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  { name: 'plans', path: '/admin/plans', as: 'root' },
  { name: 'plan-peek', path: '/admin/plans?open={planId}', as: 'root', isOpening: true },
  { name: 'plan-edit', path: '/admin/plans?edit={planId}', as: 'root', isOpening: true },
  { name: 'prices', path: '/admin/prices', as: 'root' },
  { name: 'price-peek', path: '/admin/prices?open=gpt-4o', as: 'root', isOpening: true },
  { name: 'price-edit', path: '/admin/prices?edit=gpt-4o', as: 'root', isOpening: true },
  { name: 'prices-import', path: '/admin/prices?dialog=import', as: 'root', isOpening: true },
  {
    name: 'prices-bulk',
    path: '/admin/prices',
    as: 'root',
    act: async (page) => {
      await page.getByRole('button', { name: /^(?:Bulk edit|批量修改)$/ }).click()
      await page.getByRole('button', { name: /^(?:Preview|预览)$/ }).click()
      await page.getByRole('button', { name: /^(?:Save \d+ prices|保存 \d+ 个价格)$/ }).waitFor()
    },
  },
  { name: 'users', path: '/admin/users', as: 'root' },
  { name: 'user-new', path: '/admin/users?edit=new', as: 'root', isOpening: true },
  { name: 'user-edit', path: '/admin/users?edit={userId}', as: 'root', isOpening: true },
  { name: 'user-peek', path: '/admin/users?open={userId}', as: 'root', isOpening: true },
  {
    name: 'user-limits',
    path: '/admin/users?limits={userId}',
    as: 'root',
    isOpening: true,
    act: async (page) => {
      await page.getByRole('button', { name: /^(?:Edit “Spending per month”|编辑“Spending per month”)$/ }).click()
      await page
        .getByRole('textbox', { name: /^(?:Name|名称)/ })
        .first()
        .waitFor()
    },
  },
  { name: 'users-near', path: '/admin/users?near=true', as: 'root' },
  { name: 'user-tokens', path: '/admin/tokens', as: 'root' },
  { name: 'user-tokens-near', path: '/admin/tokens?near=true', as: 'root' },
  { name: 'profile-edit', path: '/user/edit', as: 'user' },
  { name: 'me', path: '/app/me', as: 'user' },
  { name: 'me-sign-in', path: '/app/me?tab=sign-in', as: 'user' },
  { name: 'me-security', path: '/app/me?tab=security', as: 'user' },
  { name: 'me-tokens', path: '/app/me?tab=tokens', as: 'user' },
  { name: 'me-preferences', path: '/app/me?tab=preferences', as: 'user' },
  {
    name: 'me-totp',
    path: '/app/me?tab=security',
    as: 'user',
    // The password is asked for first.
    expected: [/^request: POST .*\/totp\/begin 403$/],
    act: async (page) => {
      await page.getByRole('button', { name: /^(?:Set up|设置)$/ }).click()
      await page.getByLabel(/^(?:Your password|您的密码|密码)$/).fill(user.password)
      await page.keyboard.press('Enter')
      await page.getByRole('img', { name: /^(?:QR code for your authenticator app|身份验证器二维码)$/ }).waitFor()
    },
  },
  { name: 'me-notification', path: '/app/me?tab=notification', as: 'user' },
  {
    name: 'me-webhook',
    path: '/app/me?tab=notification',
    as: 'user',
    act: async (page) => {
      await page.getByText('Webhook', { exact: true }).click()
      await page.getByPlaceholder('https://example.com/webhook').fill('https://hooks.invalid/tollgate')
      await page.getByRole('button', { name: /^(?:Save|保存)$/ }).click()
      await page.getByRole('button', { name: /^(?:Send a test|发送测试)$/ }).click()
      await page
        .getByText(/^(?:Not reachable|无法连接)$/)
        .first()
        .waitFor()
    },
  },
  ...peopleShots,
  { name: 'audit', path: '/admin/audit', as: 'root' },
  { name: 'audit-detail', path: '/admin/audit?open=8', as: 'root', isOpening: true },
  ...settingsPages.map(({ name }): Shot => ({
    name: `settings-${name}`,
    path: `/admin/settings?page=${name}`,
    as: 'root',
    ...(name !== 'general' && { isAlike: true }),
  })),
  { name: 'system', path: '/admin/system', as: 'root' },
  { name: 'price-sync', path: '/admin/prices/sync', as: 'root' },
  { name: 'price-sync-refused', path: '/admin/prices/sync?state=refused', as: 'root', isAlike: true },
  { name: 'settings-found', path: '/admin/settings?keyword=status', as: 'root' },
  { name: 'settings-history', path: '/admin/settings?page=other&history=Notice', as: 'root', isAlike: true },
  { name: 'logs', path: '/app/logs/api-usage', as: 'root' },
  { name: 'logs-own', path: '/app/logs/api-usage', as: 'user' },
  { name: 'log-peek', path: '/app/logs/api-usage?open={logId}', as: 'root', isOpening: true },
  {
    name: 'log-peek-error',
    path: '/app/logs/api-usage?open={errorLogId}',
    as: 'root',
    isOpening: true,
  },
  ...taskShots,
  { name: 'dashboard', path: '/app/dashboard', as: 'root' },
  { name: 'dashboard-own', path: '/app/dashboard', as: 'user' },
  { name: 'earnings', path: '/admin/earnings?days=7&step=day', as: 'root' },
  { name: 'earnings-keys', path: '/admin/earnings?days=7&by=key', as: 'root' },
  { name: 'earnings-empty', path: '/admin/earnings?days=7&model=no-such-model', as: 'root' },
  { name: 'playground', path: '/playground', as: 'user' },
  {
    name: 'playground-images',
    path: '/playground?make=images',
    as: 'user',
    prepare: async (page) => {
      await offers('images', ['dall-e-3', 'gpt-image-1'])(page)
      await page.route('**/pg/images/generations', (route) =>
        route.fulfill({ json: { data: [{ b64_json: kite }, { b64_json: kite }] } }),
      )
    },
    act: async (page) => {
      await page.getByRole('textbox', { name: /^(?:Describe the image|描述图片)$/ }).fill('A paper kite over a harbour')
      await page.getByRole('button', { name: /^(?:Make|生成)$/ }).click()
      await page.getByRole('img', { name: 'A paper kite over a harbour' }).first().waitFor()
    },
  },
  {
    name: 'playground-songs',
    path: '/playground?make=songs',
    as: 'user',
    prepare: offers('songs', ['suno_music']),
  },
  {
    name: 'playground-videos',
    path: '/playground?make=videos',
    as: 'user',
    prepare: offers('videos', ['sora-2', 'veo-3.1-fast-generate-preview']),
  },
  {
    name: 'playground-videos-again',
    path: '/playground?make=videos&draft=1',
    as: 'user',
    isLoaded: true,
    prepare: async (page) => {
      await offers('videos', ['sora-2', 'veo-3.1-fast-generate-preview'])(page)
      await page.addInitScript((draft) => sessionStorage.setItem('playground-draft', draft), JSON.stringify(again))
    },
  },
  {
    name: 'playground-compared',
    path: '/playground',
    as: 'user',
    act: async (page) => {
      // The names are in the language of the look.
      await page.getByRole('button', { name: /^(?:Compare with another model|并排比较另一个模型)$/ }).click()
      await page.getByRole('textbox', { name: /^(?:Message|消息)$/ }).fill('Which of you is quicker?')
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: /^(?:Send|发送)$/ }).waitFor()
      await page
        .getByText(/^\$0\.\d+/)
        .first()
        .waitFor()
    },
  },
  {
    name: 'chat',
    path: '/chat/2',
    as: 'user',
    // The framed page belongs to another site, which cannot be reached from here.
    expected: [/^request: GET https:/, /^script: SecurityError/],
  },
  { name: 'chat-misconfigured', path: '/chat/99', as: 'user' },
  { name: 'no-access', path: '/admin/channels', as: 'user' },
  {
    name: 'offline',
    path: '/app/tokens',
    as: 'user',
    expected: [/^request: .*ERR_INTERNET_DISCONNECTED$/],
    act: async (page) => {
      await page.context().setOffline(true)
      await page.getByText(/^(?:You’re offline|网络已断开)/).waitFor()
    },
  },
  {
    name: 'shortcuts',
    path: '/app/tokens',
    as: 'root',
    act: (page) => openByKey(page, '?'),
  },
  {
    name: 'palette',
    path: '/app/tokens',
    as: 'root',
    act: (page) => openByKey(page, 'Control+k'),
  },
]

/** Menu pages without a line of their own, as the super admin sees them. */
const others = pages
  .filter(({ path }) => lines.every((shot) => shot.path.split('?', 1)[0] !== path))
  .map(({ path }): Shot => ({ name: path.slice(1).replaceAll('/', '-'), path, as: 'root' }))

/** What the task log hands over to be made again. */
const again = {
  model: 'veo-3.1-fast-generate-preview',
  messages: [{ role: 'user', content: 'Waves against a breakwater, slow motion' }],
  group: 'default',
  parameters: {
    seconds: '8',
    size: '1280x720',
    seed: 7,
    negative_prompt: 'people, boats, lettering of any kind, and whatever else would not be there in winter',
  },
  notKept: ['input_reference'],
}

/** Every page of the console. */
export const shots: readonly Shot[] = [...lines, ...others]

/** Repeats a key until it has an effect: a page that was just rendered may not listen yet. */
async function openByKey(page: Page, key: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  for (let attempt = 1; attempt <= 10; attempt += 1) {
    await page.keyboard.press(key)
    const isOpen = await dialog.waitFor({ timeout: 3000 }).then(
      () => true,
      () => false,
    )
    if (isOpen) return
  }
  throw new Error(`${key} opens nothing`)
}

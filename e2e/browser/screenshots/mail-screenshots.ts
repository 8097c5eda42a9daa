import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

import { compose, type MailContent } from '../../../gateway/src/messaging/mail/compose'
import { theBrowser } from '../chromium'

const languages = ['zh', 'en'] as const
const themes = ['light', 'dark'] as const
const widths = [600, 360]

const link =
  'https://gate.example.com/user/reset?email=mei.chen%40example.com&token=Zk3vQ9w2Lr7TbX5nHs8cJd1fGy6pMa4eUoViRtEqWxY'
const place = {
  time: '2026-11-23 14:02 UTC',
  ip: '203.0.113.7',
  device: 'Chrome · macOS',
}
const provider = { zh: ' GitHub ', en: 'GitHub' }
const username = 'mei.chen'

/** One mail of each kind. */
const mails: readonly MailContent[] = [
  { words: 'register-code', values: { minutes: 10 }, code: '482913' },
  { words: 'bind-code', values: { minutes: 10 }, code: '482913' },
  { words: 'address-taken', link },
  { words: 'reset-password', values: { minutes: 15 }, username, link },
  { words: 'password-changed', values: place, username, link },
  { words: 'mail-changed', values: place, username },
  { words: 'new-device', values: place, username, link },
  { words: 'factor-added', values: place, username, link },
  { words: 'factor-removed', values: place, username, link },
  { words: 'recovery-codes-renewed', values: place, username, link },
  { words: 'identity-linked', values: { ...place, provider }, username, link },
  { words: 'identity-unlinked', values: { ...place, provider }, username, link },
  { words: 'password-changed-by-admin', values: place, username, link },
  { words: 'factors-removed-by-admin', values: place, username, link },
  { words: 'low-balance', values: { balance: '$0.12', threshold: '$1.00' }, username, link },
  { words: 'notice-test', username, link },
  { words: 'test' },
]

const site = { SystemName: 'Tollgate', Logo: '', ServerAddress: 'https://gate.example.com' }

/** Takes a screenshot of each mail in every look: `mail-<words>.<language>.<theme>.<width>.png`. */
export async function takeMailScreenshots(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const browser = await theBrowser()
  for (const colorScheme of themes) {
    const context = await browser.newContext({ colorScheme })
    const page = await context.newPage()
    for (const width of widths) {
      await page.setViewportSize({ width, height: 400 })
      for (const language of languages) {
        for (const content of mails) {
          const { html } = compose(content, { id: '1', to: 'mei.chen@example.com', language, site })
          await page.setContent(html)
          const name = `mail-${content.words}.${language}.${colorScheme}.${width}.png`
          await page.screenshot({ path: join(folder, name), fullPage: true })
        }
      }
    }
    await context.close()
  }
}

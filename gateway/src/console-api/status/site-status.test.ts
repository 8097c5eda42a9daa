import { describe, expect, test } from 'bun:test'

import { defaultOptions, optionOf, type OptionKey, type statusRoutes } from '@tollgate/contract'

import { readConfig } from '../../platform/config/config'
import { siteStatus } from './site-status'

const { serviceUrls: urls } = readConfig({})
const site = { startedAt: 0, isSetUp: true, urls }

const statusWith = (key: OptionKey, text: string): statusRoutes.SiteStatus =>
  siteStatus({ ...defaultOptions, [key]: optionOf(key).schema().parse(text) }, site)

describe('the public status', () => {
  test.each([
    ['TopUpLink', 'https://shop.example/codes', { top_up_link: 'https://shop.example/codes' }],
    ['general_setting.docs_link', 'https://docs.example', { docs_link: 'https://docs.example' }],
    ['Chats', '[{"App":"app://{key}"}]', { chats: [{ App: 'app://{key}' }] }],
    ['SystemName', 'Kite', { system_name: 'Kite' }],
    ['Logo', '/kite.png', { logo: '/kite.png' }],
    ['Footer', '<b>Kite</b>', { footer_html: '<b>Kite</b>' }],
    ['DefaultCollapseSidebar', 'true', { default_collapse_sidebar: true }],
    ['SelfUseModeEnabled', 'true', { self_use_mode_enabled: true, register_enabled: false }],
    ['DemoSiteEnabled', 'true', { demo_site_enabled: true }],
    ['QuotaPerUnit', '1000', { quota_per_unit: 1000 }],
    ['DisplayInCurrencyEnabled', 'false', { display_in_currency: false }],
    ['QuotaRemindThreshold', '600000', { quota_remind_threshold: 600_000 }],
    ['DataExportEnabled', 'false', { enable_data_export: false }],
    ['DataExportDefaultTime', 'week', { data_export_default_time: 'week' }],
    ['DataExportInterval', '30', { data_export_interval: 30 }],
    ['LogChatContentEnabled', 'true', { log_chat_content_enabled: true }],
  ] as const satisfies readonly (readonly [OptionKey, string, Partial<statusRoutes.SiteStatus>])[])(
    'tells the console what %s is',
    (key, text, expected) => {
      expect(statusWith(key, text)).toMatchObject(expected)
      expect(siteStatus(defaultOptions, site)).not.toMatchObject(expected)
    },
  )

  test.each([
    ['Epay', { PayAddress: 'https://pay.example', EpayId: '1001', EpayKey: 'k3y' }],
    ['Stripe', { StripeApiSecret: 'sk_test_1', StripeWebhookSecret: 'whsec_1' }],
  ])('the status says that users can pay once %s is configured', (_, set) => {
    expect(siteStatus(defaultOptions, site).enable_online_topup).toBe(false)
    expect(siteStatus({ ...defaultOptions, ...set }, site).enable_online_topup).toBe(true)
    for (const key of Object.keys(set))
      expect(siteStatus({ ...defaultOptions, ...set, [key]: '' }, site).enable_online_topup).toBe(false)
  })
})

import { expect, test } from 'bun:test'

import { readUserSetting, UserSetting } from './user-setting'

const unset = UserSetting.parse({})

test.each(['', '{}', 'null', '[]', 'no JSON'])('the setting %p is that of a user who chose nothing', (setting) => {
  expect(readUserSetting({ setting })).toEqual(unset)
  expect(unset).toMatchObject({ notify_type: 'email', show_ip_in_logs: false, log_views: [] })
  expect(unset.language).toBeUndefined()
})

test('a setting is read as it was written', () => {
  const setting = {
    notify_type: 'webhook',
    quota_warning_threshold: 7,
    notification_email: 'a@b.test',
    webhook_url: 'https://b.test',
    accept_unset_model_ratio_model: true,
    show_ip_in_logs: true,
    log_views: [{ name: 'Large', search: { quota: 5 } }],
    language: 'zh',
    billing_name: 'ACME',
    billing_address: 'Berlin',
    billing_tax_id: 'DE1',
  } as const
  expect(readUserSetting({ setting: JSON.stringify(setting) })).toEqual(setting)
})

test.each<Record<string, unknown>>([
  { notify_type: 'pigeon' },
  { quota_warning_threshold: 0 },
  { quota_warning_threshold: '5' },
  { webhook_url: null },
  { show_ip_in_logs: 'yes' },
  { log_views: [{ name: '' }] },
  { language: 'fr' },
])('a field that does not fit has its default, and the others stay: %o', (field) => {
  const setting = JSON.stringify({ ...field, accept_unset_model_ratio_model: true, webhook_secret: 's' })
  expect(readUserSetting({ setting })).toEqual({ ...unset, accept_unset_model_ratio_model: true })
})

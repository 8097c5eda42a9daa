import { describe, expect, test } from 'bun:test'

import { defaultOptions, isOptionKey, isSecretOption, optionKeys, optionOf, optionText, parseOptions } from './options'

const accepts = (key: string, text: string) => isOptionKey(key) && optionOf(key).schema().safeParse(text).success

describe('every option', () => {
  for (const key of optionKeys) {
    const option = optionOf(key)

    test(`${key} reads back its own default`, () => {
      const text = optionText(key, defaultOptions[key])
      expect(option.schema().parse(text)).toEqual(option.default)
      expect(option.text(option.schema().parse(text))).toBe(text)
    })

    test(`${key} refuses values of another kind`, () => {
      const nonsense = {
        boolean: ['', 'yes', '1', 'TRUE'],
        integer: ['', 'x', '1.5', '1e3', '-1', '99999999999999999999', 'NaN'],
        number: ['', 'x', '1e3', '-1', 'Infinity', '0x10'],
        choice: ['', 'other'],
        choices: ['other', 'inbox,inbox'],
        json: ['{', 'null', '7', '"x"', '{"__proto__":{"x":1}}', '{"a":-1}', '[-1]'],
        list: ['not a domain', 'a.com,a.com'],
        lines: ['x'.repeat(501)],
        text: [],
        secret: ['x'.repeat(4097)],
      }[option.kind]
      for (const text of nonsense) expect([text, option.schema().safeParse(text).success]).toEqual([text, false])
    })

    test(`${key} needs only options that exist`, () => {
      for (const needed of option.prerequisite?.needs ?? []) expect(isOptionKey(needed)).toBe(true)
    })
  }

  test('no secret option is public', () => {
    for (const key of optionKeys) if (isSecretOption(key)) expect(optionOf(key).isPublic).toBe(false)
  })

  test('an option whose name sounds secret is a secret', () => {
    const isOpen = (key: string) => key === 'TurnstileSiteKey' || key === 'EpayPlatformKey'
    const named = optionKeys.filter((key) => /(Token|Secret|Key|secret|password)$/.test(key) && !isOpen(key))
    for (const key of named) expect([key, isSecretOption(key)]).toEqual([key, true])
  })
})

describe('bounds', () => {
  test.each([
    ['RoutingStrategies', '[{"model":"*","strategy":"cheapest"}]', true],
    ['RoutingStrategies', '[{"model":"*","strategy":"dearest"}]', false],
    ['RoutingStrategies', '[{"model":"*","strategy":"mix"}]', false],
    ['RoutingStrategies', '[{"model":"*","strategy":"mix","cost":0,"load":0}]', false],
    ['RoutingStrategies', '[{"group":"vip","model":"gpt-*","strategy":"mix","cost":2,"speed":1}]', true],
    ['RoutingStrategies', '[{"model":"*","strategy":"fastest","speed":1}]', false],
    ['RoutingStrategies', '[{"model":"","strategy":"fastest"}]', false],
    ['QuotaPerUnit', '0', false],
    ['QuotaPerUnit', '0.000001', true],
    ['LinuxDOMinimumTrustLevel', '4', true],
    ['LinuxDOMinimumTrustLevel', '5', false],
    ['DataExportInterval', '0', false],
    ['DataExportInterval', '1', true],
    ['ChannelDisableThreshold', '0', true],
    ['SMTPPort', '65536', false],
    ['GroupRatio', '{"default":0}', true],
    ['GroupRatio', '{}', false],
    ['GroupRatio', '{"":1}', false],
    ['GroupGroupRatio', '{"vip":{"default":0.5}}', true],
    ['GroupGroupRatio', '{"vip":1}', false],
    ['ModelRequestRateLimitGroup', '{"vip":[0,1]}', true],
    ['ModelRequestRateLimitGroup', '{"vip":[0,0]}', false],
    ['UserUsableGroups', '{"vip":1}', false],
    ['Chats', '[{"App":"app://{address}"}]', true],
    ['Chats', '[{"App":"javascript:alert(1)"}]', false],
    ['Chats', '[{"a":"x","b":"y"}]', false],
    ['oidc.well_known', 'ftp://host', false],
    ['oidc.well_known', 'http://host/', true],
    ['InvitationCommissionRate', '100', true],
    ['InvitationCommissionRate', '2.5', true],
    ['InvitationCommissionRate', '100.01', false],
    ['InvitationCommissionRate', '-1', false],
    ['InvitationCommissionDays', '-1', false],
    ['InvitationCommissionDays', '1.5', false],
    ['InvitationCommissionDays', '36501', false],
    ['InvitationCommissionDelayDays', '365', true],
    ['InvitationCommissionDelayDays', '366', false],
    ['TopUpBonuses', '[]', true],
    ['TopUpBonuses', '[{"from":10,"percent":100},{"from":100,"quota":5}]', true],
    ['TopUpBonuses', '[{"from":10,"percent":50,"once":true},{"from":10,"percent":0.5}]', true],
    ['SiteTimeZone', 'Asia/Shanghai', true],
    ['SiteTimeZone', '+08:00', false],
    ['SiteTimeZone', 'Mars/Base', false],
    ['EventMailAddresses', 'ops@example.com\nnight@example.com', true],
    ['EventMailAddresses', 'ops@example.com, night@example.com', false],
    ['EventSlackUrl', 'http://hooks.slack.com/services/x', false],
    ['EventSlackUrl', 'https://hooks.slack.com/services/x', true],
    ['EventJobFailed', 'webhook,inbox', true],
    ['EventJobFailed', 'pager', false],
    ['Logo', 'javascript:alert(1)', false],
    ['Logo', '//elsewhere/logo.png', false],
    ['Logo', '/logo.png', true],
    ['AutomaticRetryStatusCodes', '500-499', false],
    ['AutomaticRetryStatusCodes', '429, 500-503', true],
    ['AutomaticRetryStatusCodes', '600', false],
  ])('%s = %s -> %p', (key, text, isAccepted) => expect(accepts(key, text)).toBe(isAccepted))

  test.each([
    ['[{"from":0,"quota":5}]', 'too_small'],
    ['[{"from":-10,"quota":5}]', 'too_small'],
    ['[{"from":1.5,"quota":5}]', 'invalid_type'],
    ['[{"from":1e12,"quota":5}]', 'too_big'],
    ['[{"from":10,"quota":-5}]', 'too_small'],
    ['[{"from":10,"quota":0.5}]', 'invalid_type'],
    ['[{"from":10,"quota":1e16}]', 'too_big'],
    ['[{"from":10,"percent":0}]', 'too_small'],
    ['[{"from":10,"percent":-1}]', 'too_small'],
    ['[{"from":10,"percent":100.5}]', 'too_big'],
    ['[{"from":10}]', 'reason.one_bonus'],
    ['[{"from":10,"quota":5,"percent":5}]', 'reason.one_bonus'],
    ['[{"from":10,"quota":5},{"from":10,"percent":5}]', 'reason.repeated'],
    ['[{"from":10,"quota":5},{"from":20,"quota":5},{"from":15,"quota":5}]', 'reason.ascending'],
    ['[{"from":10,"quota":5,"until":9}]', 'unrecognized_keys'],
    ['{"10":5}', 'invalid_type'],
  ])('the bonuses %s are refused as %s', (text, reason) => {
    const issue = optionOf('TopUpBonuses').schema().safeParse(text).error?.issues[0]
    expect([issue?.code, issue?.message]).toContain(reason)
  })

  test.each(['ServerAddress', 'WorkerUrl', 'PriceSyncLiteLlmUrl', 'PriceSyncModelsDevUrl'] as const)(
    '%s refuses an address with a name and a password in it',
    (key) => {
      expect(accepts(key, 'https://lists.example/prices.json')).toBe(true)
      expect(accepts(key, 'https://me:pass@lists.example/prices.json')).toBe(false)
      expect(accepts(key, 'https://token@lists.example/prices.json')).toBe(false)
    },
  )

  test.each(['ServerAddress', 'PayAddress', 'WorkerUrl', 'WeChatServerAddress'] as const)(
    'trailing slashes of %s are removed',
    (key) => expect(optionOf(key).schema().parse(' https://site.example/base// ')).toBe('https://site.example/base'),
  )
})

describe('parseOptions', () => {
  test('an option that is not stored has its default; unknown keys are left out', () => {
    expect(parseOptions(new Map([['Unheard', 'x']]))).toEqual(defaultOptions)
  })

  test('an invalid stored value falls back to the default and is reported', () => {
    const reported: string[] = []
    const values = parseOptions(
      new Map([
        ['RetryTimes', 'many'],
        ['QuotaForNewUser', '7'],
      ]),
      (key) => reported.push(key),
    )
    expect(values.RetryTimes).toBe(3)
    expect(values.QuotaForNewUser).toBe(7)
    expect(reported).toEqual(['RetryTimes'])
  })

  test('tables have no inherited names', () => {
    const values = parseOptions(new Map([['ModelRatio', '{"gpt-4o":1.25}']]))
    expect(values.ModelRatio['gpt-4o']).toBe(1.25)
    expect(values.ModelRatio['constructor']).toBeUndefined()
    expect(defaultOptions.ModelPrice['toString']).toBeUndefined()
  })
})

import { describe, expect, test } from 'bun:test'

import { logType, phraseCodes, storedPhrase, writeLogDetails, type WrittenLogDetails } from '@tollgate/contract'

import { logContent } from './log-entity'

const row = { prompt_tokens: 1000, completion_tokens: 100 }
const contentsOf = (type: number, content: string, details: WrittenLogDetails = {}) =>
  (['en', 'zh'] as const).map((language) =>
    logContent({ ...row, type, content, other: writeLogDetails(details) }, language),
  )

describe('the text of a log row', () => {
  test('the text is worded in the language of its reader', () => {
    const changed = storedPhrase('log.quota_changed', {
      before: { code: 'log.quota_in_currency', params: { amount: '0.001000' } },
      after: { code: 'log.quota_in_points', params: { amount: 7 } },
    })
    expect(contentsOf(logType.admin, changed)).toEqual([
      "An administrator changed the user's balance from $0.001 to 7 quota",
      '管理员将用户额度从 $0.001 修改为 7 点额度',
    ])
  })

  test.each([
    ['10.000000', '$10.00'],
    ['-5.500000', '-$5.50'],
    ['0.123456', '$0.123456'],
    ['0.000000', '$0.00'],
  ])('an amount of %s is shown as %s in every language', (amount, shown) => {
    const quota = { code: 'log.quota_in_currency', params: { amount } } as const
    const text = storedPhrase('log.topped_up', { quota, money: '73.00 CNY' })
    expect(contentsOf(logType.topUp, text)).toEqual([
      `Topped up online: ${shown}, paid 73.00 CNY`,
      `使用在线充值成功，充值金额: ${shown}，支付金额：73.00 CNY`,
    ])
  })

  test('the text of a failed call is the sentence of its error', () => {
    expect(contentsOf(logType.error, storedPhrase('upstream.failed', { status: 500 }))).toEqual([
      expect.stringContaining('500'),
      '上游服务返回错误（状态码 500）。请稍后重试',
    ])
  })

  test('the text of a charged call has its tokens and prices, which only the details contain', () => {
    const perToken = { model_ratio: 1.25, completion_ratio: 4, group_ratio: 0.5, model_price: -1 }
    expect(contentsOf(logType.consumption, '', perToken)).toEqual([
      'Input 1,000 × $2.50/M + Output 100 × $10.00/M, group ×0.5',
      '输入 1,000 × $2.50/M + 输出 100 × $10.00/M，分组 ×0.5',
    ])
    const tiered = { ...perToken, cache_tokens: 400, cache_ratio: 0.1, service_tier_ratio: 2, schedule_ratio: 0.75 }
    expect(contentsOf(logType.consumption, '', tiered)[0]).toBe(
      'Input 600 × $2.50/M + Cache read 400 × $0.25/M + Output 100 × $10.00/M, group ×0.5, mode and hours ×1.5',
    )
    expect(contentsOf(logType.consumption, '', { ...perToken, model_price: 0.02 })).toEqual([
      'Call 1 × $0.02, group ×0.5',
      '调用 1 × $0.02，分组 ×0.5',
    ])
    expect(contentsOf(logType.consumption, '', { frt: 3 })).toEqual(['', ''])
  })

  test.each([
    'Model ratio 1, completion ratio 1',
    '{"code":"unheard.of"}',
    '{"code":"log.test_passed","params":[]}',
    '{',
  ])('content of an earlier release is shown as it stands: %s', (content) => {
    expect(contentsOf(logType.system, content)).toEqual([content, content])
    expect(contentsOf(logType.consumption, content)).toEqual([content, content])
  })

  test('the text is in one language, whatever the row contains', () => {
    // An amount is the same in every language.
    const logCodes = phraseCodes.filter((code) => code.startsWith('log.') && code !== 'log.quota_in_currency')
    expect(logCodes.length).toBeGreaterThan(10)
    for (const code of logCodes) {
      const [en = '', zh = ''] = contentsOf(logType.system, storedPhrase(code, {}))
      expect([code, /[\u4e00-\u9fff]/.test(en)]).toEqual([code, false])
      // Without placeholders and product names nothing Latin is left of a sentence.
      expect([code, /[\u4e00-\u9fff]/.test(zh)]).toEqual([code, true])
      expect([code, zh === en]).toEqual([code, false])
    }
  })
})

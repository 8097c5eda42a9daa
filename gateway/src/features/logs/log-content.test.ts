import { describe, expect, test } from 'bun:test'

import { logType, phraseCodes, storedPhrase, writeLogDetails, type WrittenLogDetails } from '@tollgate/contract'

import { logContent } from './log-content'

const contentsOf = (type: number, content: string, details: WrittenLogDetails = {}) =>
  (['en', 'zh'] as const).map((language) => logContent({ type, content, other: writeLogDetails(details) }, language))

describe('the text of a log row', () => {
  test('the text is worded in the language of its reader', () => {
    const row = storedPhrase('log.quota_changed', {
      before: { code: 'log.quota_in_currency', params: { amount: '0.001000' } },
      after: { code: 'log.quota_in_points', params: { amount: 7 } },
    })
    expect(contentsOf(logType.admin, row)).toEqual([
      "An administrator changed the user's balance from $0.001000 to 7 quota",
      '管理员将用户额度从 ＄0.001000 额度修改为 7 点额度',
    ])
  })

  test('the text of a failed call is the sentence of its error', () => {
    expect(contentsOf(logType.error, storedPhrase('upstream.failed', { status: 500 }))).toEqual([
      expect.stringContaining('500'),
      '上游服务返回错误（状态码 500）。请稍后重试',
    ])
  })

  test('the text of a charged call is its price, which only the details contain', () => {
    const perToken = { model_ratio: 1.25, completion_ratio: 4, group_ratio: 0.5, model_price: -1 }
    expect(contentsOf(logType.consumption, '', perToken)).toEqual([
      'Model ratio 1.25, completion ratio 4, group ratio 0.5',
      '模型倍率 1.25，补全倍率 4，分组倍率 0.5',
    ])
    expect(contentsOf(logType.consumption, '', { ...perToken, model_price: 0.02 })).toEqual([
      'Model price $0.02, group ratio 0.5',
      '模型价格 $0.02，分组倍率 0.5',
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
    const told = phraseCodes.filter((code) => code.startsWith('log.'))
    expect(told.length).toBeGreaterThan(10)
    for (const code of told) {
      const [en = '', zh = ''] = contentsOf(logType.system, storedPhrase(code, {}))
      expect([code, /[\u4e00-\u9fff]/.test(en)]).toEqual([code, false])
      // Without placeholders and product names nothing Latin is left of a sentence.
      expect([code, /[\u4e00-\u9fff]/.test(zh)]).toEqual([code, true])
      expect([code, zh === en]).toEqual([code, false])
    }
  })
})

import type { ThinkingForm } from '@tollgate/dialects'

import { bearer } from '../auth'
import { balanceAt, currencyOf, requireNumber, requireObject } from '../balance'
import { keyFormat } from '../fields'
import { openAiModelList } from '../model-list'
import { openAiCompletions, thinkingChat } from '../modes'
import { defineProvider } from '../provider'
import { memberPaths } from '../member-path'
import { developerAsSystem, type Refused, withoutRefused } from '../refused'
import { openAiPath } from '../urls'

const efforts = { minimal: 'low', low: 'low', medium: 'high', high: 'high', xhigh: 'high', max: 'max' } as const

/** https://api-docs.deepseek.com/guides/thinking_mode; the reasoner always thinks, by a name that is on its way out. */
const thinkingForm = (model: string): ThinkingForm =>
  model === 'deepseek-reasoner' ? { switch: null, efforts } : { switch: 'thinking', efforts }

/** https://api-docs.deepseek.com/guides/reasoning_model */
const refusedBy = (model: string): Refused => (model === 'deepseek-reasoner' ? { members: probabilities } : {})
const probabilities = memberPaths('logprobs', 'top_logprobs')

/** https://api-docs.deepseek.com; completions fill in the middle and live under /beta. */
export const deepSeek = defineProvider({
  type: 43,
  id: 'deepseek',
  name: { en: 'DeepSeek', zh: '深度求索 DeepSeek' },
  baseUrl: 'https://api.deepseek.com',
  auth: bearer(),
  billsAbandoned: 'whole',
  key: keyFormat('sk-…'),
  modes: {
    chat: thinkingChat(thinkingForm, {
      url: openAiPath('/v1', ''),
      changes: [developerAsSystem, withoutRefused(refusedBy)],
    }),
    completions: openAiCompletions({ url: openAiPath('/beta') }),
  },
  fields: [],
  models: [
    'deepseek-flash',
    'deepseek-v4-pro',
    'deepseek-v4-flash',
    'deepseek-chat',
    'deepseek-reasoner',
    'deepseek-coder',
  ],
  modelList: openAiModelList(),
  balance: balanceAt(
    ({ baseUrl }) => `${baseUrl}/user/balance`,
    ({ balance_infos: infos }) => {
      const purses = Array.isArray(infos) ? infos.map(requireObject) : []
      const filled = purses.filter((purse) => requireNumber(purse['total_balance']) > 0)
      const paying = filled.length > 0 ? filled : purses
      const yuan = paying.find((purse) => purse['currency'] === 'CNY')
      const { total_balance: total, currency } = requireObject(yuan ?? paying[0])
      return { amount: requireNumber(total), currency: currencyOf(currency) }
    },
  ),
})

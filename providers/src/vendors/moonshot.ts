import type { ThinkingForm } from '@tollgate/dialects'

import { bearer } from '../auth'
import { balanceAt, dollarsAt, requireNumber, requireObject } from '../balance'
import { keyFormat, regionalBaseUrlField } from '../fields'
import { openAiModelList } from '../model-list'
import { thinkingChat } from '../modes'
import { defineProvider } from '../provider'
import { developerAsSystem } from '../refused'
import { type Change, refusing } from '../shape'

/** The most is its own word, and nothing lies between little and much. */
const efforts = { minimal: 'low', low: 'low', medium: 'high', high: 'high', xhigh: 'max', max: 'max' } as const

/** https://platform.kimi.ai/docs/guide/use-thinking-effort */
function thinkingForm(model: string): ThinkingForm | null {
  if (/^kimi-k[3-9]/.test(model)) return { switch: null, efforts }
  if (/^kimi-k2\.[56]/.test(model)) return { switch: 'thinking' }
  return /^kimi-k2(?:\.[7-9]|-thinking)/.test(model) ? { switch: null } : null
}

/** Any other value than the model's own is refused. https://platform.kimi.ai/docs/api/models-overview */
const fixedSampling: Change = (body, { model }, warn) =>
  /^kimi-k(?:2\.[5-9]|[3-9])/.test(model)
    ? refusing(body, ['temperature', 'top_p', 'n', 'presence_penalty', 'frequency_penalty'], warn)
    : body

/** https://platform.moonshot.cn/docs/api/chat; the balance is in yuan there and in dollars at api.moonshot.ai. */
export const moonshot = defineProvider({
  type: 25,
  id: 'moonshot',
  name: { en: 'Moonshot AI (Kimi)', zh: '月之暗面 Kimi' },
  baseUrl: 'https://api.moonshot.cn',
  auth: bearer(),
  billsAbandoned: 'all',
  key: keyFormat('sk-…'),
  modes: { chat: thinkingChat(thinkingForm, { changes: [developerAsSystem, fixedSampling] }) },
  fields: [regionalBaseUrlField('https://api.moonshot.cn', 'https://api.moonshot.ai')],
  models: [
    'kimi-k3',
    'kimi-k2.7-code',
    'kimi-k2.6',
    'kimi-k2.5',
    'kimi-k2-thinking',
    'kimi-k2-turbo-preview',
    'kimi-k2-0905-preview',
    'kimi-latest',
    'moonshot-v1-auto',
    'moonshot-v1-8k',
    'moonshot-v1-32k',
    'moonshot-v1-128k',
    'moonshot-v1-8k-vision-preview',
    'moonshot-v1-32k-vision-preview',
    'moonshot-v1-128k-vision-preview',
  ],
  modelList: openAiModelList(),
  balance: balanceAt(
    ({ baseUrl }) => `${baseUrl}/v1/users/me/balance`,
    ({ data }, target) => dollarsAt('moonshot.ai', target, requireNumber(requireObject(data)['available_balance'])),
  ),
})

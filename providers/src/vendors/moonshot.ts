import { bearer } from '../auth'
import { balanceAt, numberOf, objectOf } from '../balance'
import { keyFormat, regionalBaseUrlField } from '../fields'
import { openAiModelList } from '../model-list'
import { openAiChat } from '../modes'
import { defineProvider } from '../provider'

/** https://platform.moonshot.cn/docs/api/chat; the balance is in yuan there and in dollars at api.moonshot.ai. */
export const moonshot = defineProvider({
  type: 25,
  id: 'moonshot',
  name: { en: 'Moonshot AI (Kimi)', zh: '月之暗面 Kimi' },
  baseUrl: 'https://api.moonshot.cn',
  auth: bearer(),
  billsAbandoned: 'all',
  key: keyFormat('sk-…'),
  modes: { chat: openAiChat() },
  fields: [regionalBaseUrlField('https://api.moonshot.cn', 'https://api.moonshot.ai')],
  models: [
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
    ({ data }) => numberOf(objectOf(data)['available_balance']),
  ),
})

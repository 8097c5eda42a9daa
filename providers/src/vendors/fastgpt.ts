import { bearer } from '../auth'
import { baseUrlField, keyFormat } from '../fields'
import { openAiChat } from '../modes'
import { defineProvider } from '../provider'

/** An application of FastGPT answers as a model: https://doc.fastgpt.io/docs/introduction/development/openapi/chat */
export const fastGpt = defineProvider({
  type: 22,
  id: 'fastgpt',
  name: { en: 'FastGPT', zh: '知识库：FastGPT' },
  baseUrl: 'https://fastgpt.run/api/openapi',
  auth: bearer(),
  billsAbandoned: 'all',
  key: {
    ...keyFormat('fastgpt-…-64be3f'),
    hint: {
      en: 'key-appId, as fastgpt-0sp2gtvfdgyi4k30jwlgwf1i-64f335d84283f05518e9e041',
      zh: '请按照 key-appId 的格式填写，如 fastgpt-0sp2gtvfdgyi4k30jwlgwf1i-64f335d84283f05518e9e041',
    },
    isKey: (key) => /^.+-[^-]+$/.test(key),
  },
  modes: { chat: openAiChat({ acceptsStreamOptions: false }) },
  fields: [
    baseUrlField('https://fastgpt.run/api/openapi', {
      label: { en: 'Address of a private installation', zh: '私有部署地址' },
      hint: { en: 'Empty: the public service', zh: '留空则使用官方服务' },
      required: false,
    }),
  ],
  models: ['fastgpt'],
})

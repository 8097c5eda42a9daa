import { isObject, parseAnswer } from '@tollgate/dialects'

import { bearer } from '../auth'
import { baseUrlField, keyFormat } from '../fields'
import { openAiChat } from '../modes'
import { defineProvider } from '../provider'
import { withoutMembers } from '../shape'

/** An answer without the tokens that it says it used, which are 1 and 1 whatever they were. https://doc.fastgpt.io/docs/openapi/chat */
function withoutFixedUsage(body: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const answer = parseOrNull(new TextDecoder().decode(body))
  if (!isObject(answer) || !isObject(answer['usage'])) return body
  const { prompt_tokens: prompt, completion_tokens: completion } = answer['usage']
  return prompt === 1 && completion === 1
    ? new TextEncoder().encode(JSON.stringify(withoutMembers(answer, 'usage')))
    : body
}

function parseOrNull(text: string): unknown {
  try {
    return parseAnswer(text)
  } catch {
    return null
  }
}

/** An application of FastGPT answers as a model: https://doc.fastgpt.io/docs/openapi/chat */
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
  modes: { chat: openAiChat({ acceptsStreamOptions: false, collect: withoutFixedUsage }) },
  fields: [
    baseUrlField('https://fastgpt.run/api/openapi', {
      label: { en: 'Address of a private installation', zh: '私有部署地址' },
      hint: { en: 'Empty: the public service', zh: '留空则使用官方服务' },
      required: false,
    }),
  ],
  models: ['fastgpt'],
})

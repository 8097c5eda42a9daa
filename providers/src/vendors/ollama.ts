import { isObject } from '@tollgate/dialects'

import { bearer } from '../auth'
import { keyFormat, baseUrlField } from '../fields'
import { openAiChat, openAiCompletions } from '../modes'
import { defineProvider } from '../provider'
import { renamed, shaped } from '../shape'

const home = 'http://localhost:11434'

/** https://docs.ollama.com/api/tags */
function parseTags(answer: unknown): string[] {
  const list: unknown = isObject(answer) ? answer['models'] : undefined
  if (!Array.isArray(list)) throw new TypeError('The model list holds no list')
  return list.map((item: unknown) => {
    const name = isObject(item) ? item['name'] : undefined
    if (typeof name !== 'string') throw new TypeError('The model list holds an entry without a name')
    return name
  })
}

/** The operator's own server; it knows a limit by its old name alone. https://docs.ollama.com/api/openai-compatibility */
export const ollama = defineProvider({
  type: 4,
  id: 'ollama',
  name: { en: 'Ollama', zh: 'Ollama' },
  baseUrl: home,
  auth: bearer(),
  key: {
    ...keyFormat('ollama'),
    hint: { en: 'API key; any text where the server asks for none', zh: 'API 密钥；服务未启用鉴权时可填任意内容' },
  },
  modes: {
    chat: openAiChat({ shape: shaped((body) => renamed(body, 'max_completion_tokens', 'max_tokens')) }),
    completions: openAiCompletions(),
  },
  fields: [baseUrlField(home, { hint: { en: `Empty: ${home}`, zh: `留空则为 ${home}` }, required: false })],
  models: ['llama3-7b', 'llama3.3', 'qwen3', 'gpt-oss:20b', 'deepseek-r1', 'gemma3', 'mistral'],
  modelList: {
    request: (target) => ({ url: `${target.baseUrl}/api/tags`, headers: bearer()(target) }),
    parse: parseTags,
  },
})

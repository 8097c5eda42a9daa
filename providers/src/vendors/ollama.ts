import { bearer } from '../auth'
import { keyFormat, baseUrlField } from '../fields'
import { parseNamedModels } from '../model-list'
import { openAiChat, openAiCompletions } from '../modes'
import { defineProvider } from '../provider'
import { renamed, shaped } from '../shape'

const home = 'http://localhost:11434'

/** The operator's own server; it knows a limit by its old name alone. https://docs.ollama.com/api/openai-compatibility */
export const ollama = defineProvider({
  type: 4,
  id: 'ollama',
  name: { en: 'Ollama', zh: 'Ollama' },
  baseUrl: home,
  auth: bearer(),
  billsAbandoned: 'none',
  key: {
    ...keyFormat('ollama'),
    hint: { en: 'API key; any text where the server asks for none', zh: 'API 密钥；服务未启用鉴权时可填任意内容' },
  },
  modes: {
    chat: openAiChat({ shape: shaped((body) => renamed(body, 'max_completion_tokens', 'max_tokens')) }),
    completions: openAiCompletions(),
    embeddings: {
      dialect: 'ollama-embeddings',
      url: ({ baseUrl }) => `${baseUrl}/api/embed`,
      acceptsStreamOptions: false,
    },
  },
  fields: [baseUrlField(home, { hint: { en: `Empty: ${home}`, zh: `留空则为 ${home}` }, required: false })],
  isFree: true,
  models: ['llama3-7b', 'llama3.3', 'qwen3', 'gpt-oss:20b', 'deepseek-r1', 'gemma3', 'mistral'],
  /** https://docs.ollama.com/api/tags */
  modelList: {
    request: (target) => ({ url: `${target.baseUrl}/api/tags`, headers: bearer()(target) }),
    parse: parseNamedModels,
  },
})

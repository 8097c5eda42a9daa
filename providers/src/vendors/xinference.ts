import { bearer } from '../auth'
import { baseUrlField, keyFormat } from '../fields'
import { openAiModelList } from '../model-list'
import {
  openAiAudio,
  openAiChat,
  openAiCompletions,
  openAiEmbeddings,
  rerank,
  wholeOpenAiImageEdits,
  wholeOpenAiImages,
} from '../modes'
import { defineProvider } from '../provider'

/** The operator's own server, which names models as they were launched: https://inference.readthedocs.io */
export const xinference = defineProvider({
  type: 47,
  id: 'xinference',
  name: { en: 'Xinference', zh: 'Xinference' },
  baseUrl: null,
  auth: bearer(),
  billsAbandoned: 'none',
  key: {
    ...keyFormat('sk-…'),
    hint: { en: 'API key; any text where the server asks for none', zh: 'API 密钥；服务未启用鉴权时可填任意内容' },
  },
  modes: {
    chat: openAiChat(),
    completions: openAiCompletions(),
    embeddings: openAiEmbeddings(),
    images: wholeOpenAiImages(),
    'image-edits': wholeOpenAiImageEdits(),
    rerank: rerank(),
    ...openAiAudio(),
  },
  fields: [baseUrlField('http://localhost:9997')],
  isFree: true,
  models: [
    'qwen2.5-instruct',
    'qwen3',
    'deepseek-r1-distill-qwen',
    'bge-m3',
    'bge-large-zh-v1.5',
    'bge-reranker-v2-m3',
    'jina-reranker-v2',
  ],
  modelList: openAiModelList(),
})

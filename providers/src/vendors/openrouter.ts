import { bearer } from '../auth'
import { balanceAt, requireNumber, requireObject } from '../balance'
import { keyFormat } from '../fields'
import { openAiModelList } from '../model-list'
import {
  acceptJson,
  openAiChat,
  openAiCompletions,
  openAiEmbeddings,
  ownImages,
  plainRerank,
  plainSpeech,
} from '../modes'
import { defineProvider, type Target } from '../provider'
import { openAiPath } from '../urls'
import { withMessages } from './anthropic'

/** A header holds no other letters than these; the rest is escaped. */
const headerText = (text: string): string => (/^[\x20-\x7e]*$/.test(text) ? text : encodeURIComponent(text))

/** Names the application in OpenRouter's lists: https://openrouter.ai/docs/app-attribution */
const headers = ({ site }: Target): Record<string, string> => ({
  ...(site.url === '' ? {} : { 'http-referer': headerText(site.url) }),
  ...(site.name === '' ? {} : { 'x-title': headerText(site.name) }),
})

const url = openAiPath('/v1', '')

const chat = openAiChat({ url, headers, thinking: () => ({ switch: 'reasoning' }), searches: true })

const images = ownImages('openrouter-images', {
  url: openAiPath('/v1', '', 'images'),
  headers,
  maxImages: 1,
})

/** https://openrouter.ai/docs/api-reference */
export const openRouter = defineProvider({
  type: 20,
  id: 'openrouter',
  name: { en: 'OpenRouter', zh: 'OpenRouter' },
  baseUrl: 'https://openrouter.ai/api',
  auth: bearer(),
  billsAbandoned: 'all',
  key: keyFormat('sk-or-v1-…'),
  modes: {
    /** https://openrouter.ai/docs/api/api-reference/anthropic-messages */
    chat: withMessages(chat, { url: openAiPath('/v1', '', 'messages'), headers }),
    completions: openAiCompletions({ url, headers }),
    embeddings: openAiEmbeddings({ url, headers }),
    rerank: plainRerank({ url, headers }),
    images,
    'image-edits': images,
    speech: plainSpeech({ url, headers }),
    transcription: {
      dialect: 'openrouter-transcriptions',
      url,
      headers: (target) => ({ ...headers(target), ...acceptJson() }),
      acceptsStreamOptions: false,
    },
  },
  fields: [],
  models: [
    'openrouter/auto',
    'openai/gpt-5',
    'openai/gpt-5-mini',
    'openai/gpt-4.1',
    'openai/gpt-4o-mini',
    'anthropic/claude-opus-4.5',
    'anthropic/claude-sonnet-4.5',
    'anthropic/claude-haiku-4.5',
    'google/gemini-2.5-pro',
    'google/gemini-2.5-flash',
    'x-ai/grok-4',
    'deepseek/deepseek-chat',
    'deepseek/deepseek-r1',
    'qwen/qwen3-coder',
    'moonshotai/kimi-k2',
    'z-ai/glm-4.6',
    'meta-llama/llama-3.3-70b-instruct',
    'mistralai/mistral-large',
    'google/gemini-2.5-flash-image',
    'google/gemini-3-pro-image',
  ],
  modelList: openAiModelList(),
  balance: balanceAt(
    ({ baseUrl }) => `${baseUrl}/v1/credits`,
    ({ data }) => {
      const { total_credits: bought, total_usage: used } = requireObject(data)
      return { amount: requireNumber(bought) - requireNumber(used), currency: 'USD' }
    },
  ),
})

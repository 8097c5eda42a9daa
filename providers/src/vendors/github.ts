import { bearer } from '../auth'
import { modelListAt } from '../model-list'
import { openAiChat, openAiEmbeddings } from '../modes'
import { defineProvider } from '../provider'
import { shapeReasoning } from '../reasoning'
import { openAiPath } from '../urls'

const version = { 'x-github-api-version': '2022-11-28' }
const headers = (): Record<string, string> => version

/** https://docs.github.com/rest/models/inference; models are named `publisher/name`, and the paths hold no version. */
export const gitHub = defineProvider({
  type: 49,
  id: 'github',
  name: { en: 'GitHub Models', zh: 'GitHub Models' },
  baseUrl: 'https://models.github.ai/inference',
  auth: bearer(),
  billsAbandoned: 'all',
  key: {
    hint: {
      en: 'API key, as github_pat_…; separate several keys with commas. GitHub closed this service on 30 July 2026',
      zh: 'API 密钥，如 github_pat_…；多个密钥以英文逗号分隔。GitHub 已于 2026 年 7 月 30 日停止该服务',
    },
    several: true,
  },
  modes: {
    chat: openAiChat({ url: openAiPath(''), headers, shape: shapeReasoning }),
    embeddings: openAiEmbeddings({ url: openAiPath(''), headers }),
  },
  fields: [],
  models: [
    'openai/gpt-5',
    'openai/gpt-5-mini',
    'openai/gpt-4.1',
    'openai/gpt-4.1-mini',
    'openai/gpt-4o',
    'openai/gpt-4o-mini',
    'openai/o4-mini',
    'openai/o3',
    'deepseek/deepseek-v3-0324',
    'deepseek/deepseek-r1',
    'meta/llama-4-maverick-17b-128e-instruct-fp8',
    'meta/llama-3.3-70b-instruct',
    'microsoft/phi-4',
    'mistral-ai/mistral-medium-2505',
    'xai/grok-3',
    'openai/text-embedding-3-large',
    'openai/text-embedding-3-small',
  ],
  // An organization's address, `/orgs/{name}/inference`, shares the one catalogue.
  modelList: modelListAt(
    ({ baseUrl }) => baseUrl.replace(/(?:\/orgs\/[^/]+)?\/inference$/, '/catalog/models'),
    (target) => ({ ...bearer()(target), ...version }),
  ),
})

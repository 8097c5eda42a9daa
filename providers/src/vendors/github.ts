import { bearer } from '../auth'
import { keyFormat } from '../fields'
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
  key: keyFormat('github_pat_…'),
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

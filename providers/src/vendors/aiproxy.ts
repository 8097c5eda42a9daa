import { bearer } from '../auth'
import { keyFormat } from '../fields'
import { defineProvider } from '../provider'
import { withMember } from '../shape'

/** Libraries of documents that answer questions: https://docs.aiproxy.io */
export const aiProxy = defineProvider({
  type: 21,
  id: 'aiproxy',
  name: { en: 'AI Proxy Library', zh: 'AI Proxy 知识库' },
  baseUrl: 'https://api.aiproxy.io',
  auth: bearer(),
  billsAbandoned: 'all',
  key: keyFormat('ap-…'),
  modes: {
    chat: {
      dialect: 'aiproxy-library',
      url: ({ baseUrl }) => `${baseUrl}/api/library/ask`,
      shape: (body, { other }) => ({ body: withMember(body, 'libraryId', other.trim()) }),
      needsShape: true,
      acceptsStreamOptions: false,
    },
  },
  fields: [
    {
      name: 'other',
      kind: 'text',
      label: { en: 'Library ID', zh: '知识库 ID' },
      hint: { en: 'The library that answers', zh: '由该知识库回答' },
      required: true,
    },
  ],
  models: ['gpt-4o', 'gpt-4o-mini', 'gpt-4-turbo', 'gpt-4', 'gpt-3.5-turbo'],
})

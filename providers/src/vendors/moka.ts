import { bearer } from '../auth'
import { keyFormat } from '../fields'
import { openAiChat, openAiEmbeddings } from '../modes'
import { defineProvider } from '../provider'
import { type Change, onlyMembers, composeShape, withMember } from '../shape'
import { openAiPath } from '../urls'

const embeddingMembers = new Set(['model', 'input'])

/** The input is always a list, and nothing else is taken. */
const wrapInput: Change = (body) =>
  onlyMembers(typeof body['input'] === 'string' ? withMember(body, 'input', [body['input']]) : body, embeddingMembers)

/** MokaAI serves the M3E embeddings, without a version in its paths. */
export const moka = defineProvider({
  type: 44,
  id: 'moka',
  name: { en: 'MokaAI M3E', zh: '嵌入模型：MokaAI M3E' },
  baseUrl: 'https://api.moka.ai',
  auth: bearer(),
  billsAbandoned: 'all',
  key: keyFormat('sk-…'),
  modes: {
    embeddings: openAiEmbeddings({ url: openAiPath(''), shape: composeShape(wrapInput) }),
    chat: openAiChat({ url: openAiPath(''), acceptsStreamOptions: false }),
  },
  fields: [],
  isFree: true,
  models: ['m3e-large', 'm3e-base', 'm3e-small'],
})

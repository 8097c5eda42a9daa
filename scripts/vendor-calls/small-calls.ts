import type { DialectId, JsonObject, Mode } from '../../dialects/src/index'

/** A call that costs next to nothing and shows how a vendor responds. */
export interface SmallCall {
  readonly mode: Mode
  /** What the call is written in. */
  readonly dialect: DialectId
  readonly isStream: boolean
  /** Without the model. */
  readonly body: JsonObject
}

/** Room for models that reason before they answer. */
const maxTokens = 1024

const question: JsonObject = {
  messages: [
    { role: 'system', content: 'Answer in one sentence.' },
    { role: 'user', content: 'When does the harbour freeze?' },
  ],
  max_tokens: maxTokens,
}

const tool: JsonObject = {
  messages: [{ role: 'user', content: 'How thick is the ice in the harbour of Oulu? Use the tool.' }],
  max_tokens: maxTokens,
  tools: [
    {
      type: 'function',
      function: {
        name: 'measure_ice',
        description: 'Returns the thickness of the ice in centimetres.',
        parameters: { type: 'object', properties: { harbour: { type: 'string' } }, required: ['harbour'] },
      },
    },
  ],
}

const chat = { mode: 'chat', dialect: 'openai-chat', isStream: false } as const

export const plainCall: SmallCall = { ...chat, body: question }
export const streamCall: SmallCall = { ...chat, isStream: true, body: question }
export const toolCall: SmallCall = { ...chat, body: tool }
export const embeddingCall: SmallCall = {
  mode: 'embeddings',
  dialect: 'openai-embeddings',
  isStream: false,
  body: { input: ['The harbour freezes.'] },
}

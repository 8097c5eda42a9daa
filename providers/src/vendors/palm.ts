import { WholeFrames } from '@tollgate/dialects'

import { header } from '../auth'
import { keyFormat } from '../fields'
import { defineProvider } from '../provider'

/** Google's models before Gemini. One model answers, whatever it is called, and never in a stream. */
export const palm = defineProvider({
  type: 11,
  id: 'palm',
  name: { en: 'Google PaLM 2', zh: 'Google PaLM2' },
  baseUrl: 'https://generativelanguage.googleapis.com',
  auth: header('x-goog-api-key'),
  billsAbandoned: 'all',
  key: keyFormat('AIza…'),
  modes: {
    chat: {
      dialect: 'palm-chat',
      url: ({ baseUrl }) => `${baseUrl}/v1beta2/models/chat-bison-001:generateMessage`,
      acceptsStreamOptions: false,
      createUnframer: () => new WholeFrames(),
    },
  },
  fields: [],
  models: ['PaLM-2'],
})

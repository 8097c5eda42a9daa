import { bearer } from '../auth'
import { mistralBatches } from '../batches/mistral-batches'
import { vendorBatchesField } from '../batches/vendor-batches'
import { keyFormat } from '../fields'
import { openAiModelList } from '../model-list'
import {
  acceptJson,
  openAiChat,
  openAiEmbeddings,
  openAiModerations,
  plainTranscriptions,
  withoutUnknown,
} from '../modes'
import { defineProvider } from '../provider'
import { renameMember, composeShape } from '../shape'
import { openAiPath } from '../urls'
import { shapeMistral } from './mistral-shape'

const batches = mistralBatches()

/** https://docs.mistral.ai/api; unknown fields are refused, `stream_options` too: a stream's last chunk holds the usage. */
export const mistral = defineProvider({
  type: 42,
  id: 'mistral',
  traceName: 'mistral_ai',
  name: { en: 'Mistral AI', zh: 'Mistral AI' },
  baseUrl: 'https://api.mistral.ai',
  auth: bearer(),
  billsAbandoned: 'all',
  key: keyFormat('0123456789abcdef…'),
  modes: {
    chat: openAiChat({ acceptsStreamOptions: false, shape: shapeMistral }),
    embeddings: openAiEmbeddings({
      shape: composeShape((body) => renameMember(body, 'dimensions', 'output_dimension')),
    }),
    moderation: openAiModerations(),
    speech: { dialect: 'mistral-speech', url: openAiPath(), headers: acceptJson, acceptsStreamOptions: false },
    transcription: plainTranscriptions({ shape: composeShape(withoutUnknown('prompt')) }),
    fim: { dialect: 'mistral-fim', url: openAiPath(), acceptsStreamOptions: false },
    ocr: { dialect: 'mistral-ocr', url: openAiPath(), acceptsStreamOptions: false },
  },
  batches: () => batches,
  fields: [vendorBatchesField],
  models: [
    'mistral-large-latest',
    'mistral-medium-latest',
    'mistral-small-latest',
    'magistral-medium-latest',
    'magistral-small-latest',
    'codestral-latest',
    'devstral-medium-latest',
    'devstral-small-latest',
    'ministral-8b-latest',
    'ministral-3b-latest',
    'pixtral-large-latest',
    'open-mistral-nemo',
    'open-mixtral-8x7b',
    'open-mistral-7b',
    'mistral-embed',
    'codestral-embed',
    'mistral-moderation-latest',
    'voxtral-mini-latest',
    'voxtral-mini-tts-latest',
    'mistral-ocr-latest',
  ],
  modelList: openAiModelList(),
})

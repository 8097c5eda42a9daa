import { isObject, type JsonObject } from '@tollgate/dialects'

import { header } from '../auth'
import { geminiBatches } from '../batches/gemini-batches'
import { vendorBatchesField } from '../batches/vendor-batches'
import { keyFormat } from '../fields'
import { parseNamedModels } from '../model-list'
import { acceptJson, ownImages } from '../modes'
import { defineProvider, type ModeDescription, type ModelListCall, type ShapedBody, type Target } from '../provider'
import { socketAddress } from '../realtime'
import { memberPaths } from '../member-path'
import { withoutRefused } from '../refused'
import { mapObjects, shapedWith, withMember } from '../shape'
import { nameInPath, parameterOf } from '../urls'
import { shapeGemini, splitBudget } from './gemini-shape'
import { geminiVideos } from './veo-videos'

const defaultVersion = 'v1beta'
const auth = header('x-goog-api-key')

const versionOf = (other: string): string => nameInPath(other || defaultVersion)

/** A version asked for by the client wins over the channel's. Google refuses parameters that it does not know. */
const rootOf = ({ baseUrl, path, other }: Target): string =>
  `${baseUrl}/${versionOf(parameterOf(path, 'api-version') || other)}/models`

/** https://ai.google.dev/api/generate-content */
const generateUrl = (target: Target): string =>
  `${rootOf(target)}/${nameInPath(splitBudget(target.model).model)}:${target.stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`

/** What Google Cloud takes alone. https://github.com/googleapis/js-genai */
const cloudOnly = {
  members: memberPaths(
    'labels',
    'modelArmorConfig',
    'model_armor_config',
    'generationConfig.audioTimestamp',
    'generationConfig.routingConfig',
    'generation_config.audio_timestamp',
    'generation_config.routing_config',
  ),
}

const shape = shapedWith(
  shapeGemini,
  withoutRefused(() => cloudOnly),
)

/** One at a time for a client that called it so, by its own body. https://ai.google.dev/api/embeddings */
const embedUrl = (target: Target): string =>
  `${rootOf(target)}/${nameInPath(target.model)}:${/:embedContent(?:\?|$)/.test(target.path) ? 'embedContent' : 'batchEmbedContents'}`

/** https://ai.google.dev/gemini-api/docs/imagen */
const imagen = ownImages('imagen', {
  url: (target) => `${rootOf(target)}/${nameInPath(target.model)}:predict`,
  maxImages: 4,
})

/** https://ai.google.dev/gemini-api/docs/image-generation */
const drawing = ownImages('gemini-images', { url: (target) => generateUrl({ ...target, stream: false }), maxImages: 1 })

/** One response in one piece: models that speak do not stream. https://ai.google.dev/gemini-api/docs/speech-generation */
const speechUrl = (target: Target): string => `${rootOf(target)}/${nameInPath(target.model)}:generateContent`

/** https://ai.google.dev/gemini-api/docs/audio */
const heard = {
  url: (target: Target) => generateUrl({ ...target, stream: false }),
  headers: acceptJson,
  shape: shapeGemini,
  acceptsStreamOptions: false,
} as const

/** https://ai.google.dev/api/live */
const live: ModeDescription = {
  dialect: 'gemini-live',
  url: ({ baseUrl, other, path }) => {
    // Its own clients choose the version by their path.
    const version = path.includes('.v1alpha.') ? 'v1alpha' : versionOf(other)
    return `${socketAddress(baseUrl)}/ws/google.ai.generativelanguage.${version}.GenerativeService.BidiGenerateContent`
  },
  acceptsStreamOptions: false,
}

/** Models that write text, embed it or make videos; others cannot be called. https://ai.google.dev/api/models */
const modelList: ModelListCall = {
  request: ({ baseUrl, key, other }) => ({
    url: `${baseUrl}/${versionOf(other)}/models?pageSize=1000`,
    headers: auth({ key }),
  }),
  parse: (answer) => {
    const list = isObject(answer) && Array.isArray(answer['models']) ? answer['models'].filter(isCallable) : undefined
    return parseNamedModels({ models: list })
  },
}

const callable = ['generateContent', 'embedContent', 'predictLongRunning']

function isCallable(item: unknown): boolean {
  const methods = isObject(item) ? item['supportedGenerationMethods'] : undefined
  return !Array.isArray(methods) || callable.some((method) => methods.includes(method))
}

const batches = geminiBatches(versionOf, (name) => splitBudget(name).model)

/** Google AI Studio. */
export const gemini = defineProvider({
  type: 24,
  id: 'gemini',
  traceName: 'gcp.gemini',
  name: { en: 'Google Gemini', zh: 'Google Gemini' },
  baseUrl: 'https://generativelanguage.googleapis.com',
  auth,
  billsAbandoned: 'all',
  key: keyFormat('AIza…'),
  modes: {
    chat: { dialect: 'gemini', url: generateUrl, shape, acceptsStreamOptions: false },
    speech: { dialect: 'gemini-speech', url: speechUrl, acceptsStreamOptions: false },
    transcription: { dialect: 'gemini-transcriptions', ...heard },
    translation: { dialect: 'gemini-translations', ...heard },
    embeddings: {
      dialect: 'gemini-embeddings',
      url: embedUrl,
      shape: shapeGeminiEmbeddings,
      acceptsStreamOptions: false,
    },
    images: ({ model }) => (model.startsWith('imagen') ? imagen : drawing),
    'image-edits': drawing,
    realtime: live,
    live,
  },
  tasks: { video: geminiVideos((other) => versionOf(other)) },
  batches: () => batches,
  fields: [
    {
      name: 'other',
      kind: 'text',
      label: { en: 'API version', zh: '默认 API 版本' },
      placeholder: defaultVersion,
      default: defaultVersion,
    },
    vendorBatchesField,
  ],
  models: [
    'gemini-3.1-pro-preview',
    'gemini-3-pro-preview',
    'gemini-3-flash-preview',
    'gemini-2.5-pro',
    'gemini-2.5-pro-thinking',
    'gemini-2.5-flash',
    'gemini-2.5-flash-thinking',
    'gemini-2.5-flash-nothinking',
    'gemini-2.5-flash-lite',
    'gemini-2.5-flash-image',
    'gemini-3.1-flash-live-preview',
    'gemini-2.5-flash-native-audio-preview-12-2025',
    'gemini-3-pro-image',
    'gemini-3.1-flash-image',
    'imagen-4.0-generate-001',
    'imagen-4.0-ultra-generate-001',
    'imagen-4.0-fast-generate-001',
    'gemini-2.5-flash-preview-tts',
    'gemini-2.5-pro-preview-tts',
    'gemini-2.0-flash',
    'gemini-2.0-flash-lite',
    'gemini-2.0-flash-exp',
    'gemini-2.0-flash-exp-image-generation',
    'gemini-2.0-flash-thinking-exp',
    'gemini-1.5-pro',
    'gemini-1.5-pro-latest',
    'gemini-1.5-flash',
    'gemini-1.5-flash-latest',
    'gemini-1.5-flash-8b',
    'veo-3.1-generate-preview',
    'veo-3.1-fast-generate-preview',
    'veo-3.1-lite-generate-preview',
    'gemini-embedding-001',
    'text-embedding-004',
  ],
  modelList,
})

/** Every part of a batch names its model; so may a single request. */
function shapeGeminiEmbeddings(body: JsonObject, { model }: Target): ShapedBody {
  const name = `models/${model}`
  const named = 'model' in body ? withMember(body, 'model', name) : body
  return { body: mapObjects(named, 'requests', (request) => withMember(request, 'model', name)) }
}

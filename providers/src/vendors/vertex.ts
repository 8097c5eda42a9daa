import { embedsContent, type JsonObject } from '@tollgate/dialects'

import { acceptJson, anthropicMessages, openAiChat, ownImages } from '../modes'
import {
  defineProvider,
  type ModeByTarget,
  type ModeDescription,
  type ModeTarget,
  type ShapedBody,
  type Target,
} from '../provider'
import { shapedWith, withMember, withoutMembers } from '../shape'
import { nameInPath } from '../urls'
import { betaHeader } from './anthropic-betas'
import { shapeAnthropic, splitThinking, withinClaude } from './anthropic-shape'
import { shapeGemini, splitBudget } from './gemini-shape'
import { vertexBetas, withComputerFunction, withinVertex } from './messages-hosts'
import { authorizeVertex, projectOf, renewVertex } from './vertex-auth'
import { locationUrlOf } from './vertex-location'
import { vertexVideos } from './veo-videos'

const anthropicVersion = 'vertex-2023-10-16'

const project = (target: Target): Record<string, string> => ({ 'x-goog-user-project': projectOf(target) })

/** Anthropic's dated names have their date behind an `@` here. */
const claudeId = (name: string): string =>
  name === 'claude-3-5-sonnet-20241022' ? 'claude-3-5-sonnet-v2@20241022' : name.replace(/-(\d{8})$/, '@$1')

/** https://cloud.google.com/vertex-ai/generative-ai/docs/partner-models/claude/use-claude */
const claude = anthropicMessages({
  url: (target) => {
    const { model } = splitThinking(target.model)
    const action = target.stream ? 'streamRawPredict' : 'rawPredict'
    return `${locationUrlOf(target, 'v1', model)}/publishers/anthropic/models/${modelStep(claudeId(model))}:${action}`
  },
  headers: (target) => ({ ...project(target), ...betaHeader(target, vertexBetas) }),
  needsShape: true,
  lacksRemoteServers: () => true,
  shape: shapedWith(shapeAnthropic, withinClaude, withComputerFunction, withinVertex, (body) =>
    withMember(withoutMembers(body, 'model'), 'anthropic_version', anthropicVersion),
  ),
})

const modelStep = (id: string): string => nameInPath(id).replaceAll('%40', '@')

/** https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/inference */
const gemini: ModeDescription = {
  dialect: 'gemini',
  url: (target) => {
    const { model } = splitBudget(target.model)
    const action = target.stream ? 'streamGenerateContent?alt=sse' : 'generateContent'
    return `${locationUrlOf(target, 'v1', model)}/publishers/google/models/${nameInPath(model)}:${action}`
  },
  headers: project,
  shape: shapeGemini,
  lacksRemoteServers: () => true,
  acceptsStreamOptions: false,
}

/**
 * Draws, and edits images that are references.
 * https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/imagen-api-edit
 */
const imagen = ownImages('imagen', {
  url: (target) =>
    `${locationUrlOf(target, 'v1', target.model)}/publishers/google/models/${nameInPath(target.model)}:predict`,
  headers: project,
  maxImages: 4,
})

/** https://cloud.google.com/vertex-ai/generative-ai/docs/multimodal/image-generation */
const drawing = ownImages('gemini-images', {
  url: (target) => gemini.url({ ...target, stream: false }),
  headers: project,
  maxImages: 1,
})

/** The most inputs of a call; models that embed a content, and the first of Gemini's, take one. */
const maxInputs = 250

/** https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/text-embeddings-api */
const embeddings: ModeByTarget = ({ model }) => ({
  dialect: 'vertex-embeddings',
  url: (target) =>
    `${locationUrlOf(target, 'v1', target.model)}/publishers/google/models/${nameInPath(target.model)}:${embedsContent(target.model) ? 'embedContent' : 'predict'}`,
  headers: project,
  maxInputs: model.includes('gemini') ? 1 : maxInputs,
  acceptsStreamOptions: false,
})

/** In one response: models that speak do not stream. https://cloud.google.com/text-to-speech/docs/gemini-tts */
const speech: ModeDescription = {
  dialect: 'gemini-speech',
  url: drawing.url,
  headers: project,
  acceptsStreamOptions: false,
}

/** https://cloud.google.com/vertex-ai/generative-ai/docs/multimodal/audio-understanding */
const heard = {
  url: drawing.url,
  headers: (target: Target) => ({ ...project(target), ...acceptJson() }),
  shape: shapeGemini,
  acceptsStreamOptions: false,
} as const

/** Other makers' models, in OpenAI's words: https://cloud.google.com/vertex-ai/generative-ai/docs/maas/call-open-model-apis */
const openModel = openAiChat({
  url: (target) => `${locationUrlOf(target, 'v1beta1', target.model)}/endpoints/openapi/chat/completions`,
  headers: project,
  shape: (body: JsonObject, { model }: Target): ShapedBody => ({
    body: model.includes('/') ? body : withMember(body, 'model', `meta/${model}`),
  }),
})

function byModel({ model }: ModeTarget): ModeDescription {
  if (model.startsWith('claude')) return claude
  return model.includes('llama') || model.includes('/') ? openModel : gemini
}

const drawnBy = ({ model }: ModeTarget): ModeDescription => (model.startsWith('imagen') ? imagen : drawing)

/** Google Cloud. */
export const vertex = defineProvider({
  type: 41,
  id: 'vertex',
  traceName: 'gcp.vertex_ai',
  name: { en: 'Google Vertex AI', zh: 'Google Vertex AI' },
  baseUrl: 'https://{region}-aiplatform.googleapis.com',
  auth: () => ({}),
  authorize: authorizeVertex,
  renew: renewVertex,
  billsAbandoned: 'all',
  key: {
    hint: {
      en: 'The JSON document of a service account that may use Vertex AI',
      zh: '有权使用 Vertex AI 的服务账号 JSON 文件内容',
    },
    several: false,
    isKey: (key) => projectOf({ key }) !== '',
  },
  modes: {
    chat: byModel,
    images: drawnBy,
    'image-edits': drawnBy,
    embeddings,
    speech,
    transcription: { dialect: 'gemini-transcriptions', ...heard },
    translation: { dialect: 'gemini-translations', ...heard },
  },
  tasks: { video: vertexVideos },
  fields: [
    {
      name: 'other',
      kind: 'text',
      label: { en: 'Region', zh: '部署地区' },
      hint: {
        en: 'One region, or JSON with a default: {"default": "us-central1", "claude-opus-4-6": "europe-west1"}',
        zh: '填写一个地区，或包含 default 的 JSON：{"default": "us-central1", "claude-opus-4-6": "europe-west1"}',
      },
      placeholder: 'global',
      default: 'global',
    },
  ],
  isOtherByModel: true,
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
    'gemini-2.0-flash',
    'gemini-2.0-flash-lite',
    'gemini-2.5-flash-image',
    'gemini-3-pro-image',
    'imagen-4.0-generate-001',
    'imagen-3.0-capability-001',
    'gemini-embedding-2',
    'gemini-embedding-001',
    'text-embedding-005',
    'text-multilingual-embedding-002',
    'gemini-2.5-flash-tts',
    'gemini-2.5-pro-tts',
    'veo-3.1-generate-001',
    'veo-3.1-fast-generate-001',
    'veo-3.1-lite-generate-001',
    'claude-opus-4-8',
    'claude-opus-4-7',
    'claude-opus-4-6',
    'claude-sonnet-4-6',
    'claude-opus-4-5-20251101',
    'claude-sonnet-4-5-20250929',
    'claude-haiku-4-5-20251001',
    'claude-opus-4-1-20250805',
    'claude-opus-4-20250514',
    'claude-sonnet-4-20250514',
    'claude-3-7-sonnet-20250219',
    'claude-3-5-sonnet-20241022',
    'claude-3-5-sonnet-20240620',
    'claude-3-5-haiku-20241022',
    'claude-3-opus-20240229',
    'claude-3-haiku-20240307',
    'llama-4-maverick-17b-128e-instruct-maas',
    'llama-3.3-70b-instruct-maas',
    'llama-3.1-405b-instruct-maas',
  ],
})

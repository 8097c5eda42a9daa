import {
  completeEmbeddings,
  completeModeration,
  completeRerank,
  type DialectId,
  type JsonObject,
  type ThinkingForms,
  WholeImages,
  writeCommonRerank,
  writePlainRerank,
} from '@tollgate/dialects'

import type { ModeDescription, Target } from './provider'
import { type Change, refusing, composeShape, thinkingAs, withoutMembers } from './shape'
import { openAiPath, queryOf } from './urls'

/** What differs from OpenAI's own endpoint. */
export type ModeOptions = Partial<Omit<ModeDescription, 'dialect'>>

const common = { url: openAiPath(), acceptsStreamOptions: true } as const

/** `POST {base}/v1/messages`. */
export const anthropicMessages = (options?: ModeOptions): ModeDescription => ({
  dialect: 'anthropic-messages',
  url: ({ baseUrl, path }) => `${baseUrl}/v1/messages${queryOf(path)}`,
  acceptsStreamOptions: false,
  ...options,
})

/** `POST {base}/v1/chat/completions`. */
export const openAiChat = (options?: ModeOptions): ModeDescription => ({
  dialect: 'openai-chat',
  ...common,
  ...options,
})

/** The same at a vendor with members of its own for thinking. The changes follow once thinking is said in them. */
export const thinkingChat = (
  forms: ThinkingForms,
  { changes = [], ...options }: Omit<ModeOptions, 'shape'> & { readonly changes?: readonly Change[] } = {},
): ModeDescription => openAiChat({ ...options, thinking: forms, shape: composeShape(thinkingAs(forms), ...changes) })

/** `POST {base}/v1/responses`: chats of clients that speak OpenAI's Responses. */
export const openAiResponses = (options?: ModeOptions): ModeDescription => ({
  dialect: 'openai-responses',
  url: openAiPath('/v1', '/v1', 'responses'),
  acceptsStreamOptions: false,
  ...options,
})

/** `POST {base}/v1/completions`. */
export const openAiCompletions = (options?: ModeOptions): ModeDescription => ({
  dialect: 'openai-completions',
  ...common,
  ...options,
})

/** `POST {base}/v1/embeddings`. Never streams. Vectors are packed for the client where the vendor cannot. */
export const openAiEmbeddings = (options?: ModeOptions): ModeDescription => ({
  dialect: 'openai-embeddings',
  ...common,
  acceptsStreamOptions: false,
  complete: completeEmbeddings,
  ...options,
})

/** `POST {base}/v1/images/generations`. */
export const openAiImages = (options?: ModeOptions): ModeDescription => ({
  dialect: 'openai-images',
  ...common,
  acceptsStreamOptions: false,
  ...options,
})

/** `POST {base}/v1/images/edits` and `/v1/images/variations`, by the mode. */
export const openAiImageEdits = (options?: ModeOptions): ModeDescription => ({
  ...openAiImages(options),
  dialect: 'openai-image-edits',
  body: 'as-received',
})

/** Images at a vendor that responds in one piece, from which a stream is made for clients that ask for one. */
export const wholeOpenAiImages = ({ shape, ...options }: ModeOptions = {}): ModeDescription => ({
  ...openAiImages(options),
  headers: acceptJson,
  shape: (body: JsonObject, target: Target) => {
    const whole = withoutMembers(body, 'stream', 'partial_images')
    return shape?.(whole, target) ?? { body: whole }
  },
  createUnframer: () => new WholeImages(),
})

/** The same for edits. */
export const wholeOpenAiImageEdits = (options?: ModeOptions): ModeDescription => ({
  ...wholeOpenAiImages(options),
  dialect: 'openai-image-edits',
  body: 'as-received',
  createUnframer: () => new WholeImages('image_edit.completed'),
})

/** Images in the vendor's own dialect, which does not stream them. */
export const ownImages = (
  dialect: DialectId,
  options: Omit<ModeOptions, 'url'> & Pick<ModeDescription, 'url'>,
): ModeDescription => ({
  dialect,
  headers: acceptJson,
  acceptsStreamOptions: false,
  createUnframer: () => unchanged,
  ...options,
})

/** For calls whose answer is whole, whatever the client asks for. */
export const acceptJson = () => ({ accept: 'application/json' })
const noBytes = new Uint8Array(0)
const unchanged = { push: (bytes: Uint8Array) => bytes, end: () => noBytes }

/** `POST {base}/v1/moderations`. Never streams. */
export const openAiModerations = (options?: ModeOptions): ModeDescription => ({
  dialect: 'openai-moderations',
  ...common,
  acceptsStreamOptions: false,
  complete: completeModeration,
  ...options,
})

/** `POST {base}/v1/rerank`, as Jina and many others take it. Never streams. What an answer leaves out is added for the client. */
export const rerank = (options?: ModeOptions): ModeDescription => ({
  dialect: 'rerank',
  ...common,
  acceptsStreamOptions: false,
  complete: completeRerank,
  shape: (body) => ({ body: writeCommonRerank(body) }),
  ...options,
})

/** `POST {base}/v1/audio/speech`. */
const openAiSpeech = (options?: ModeOptions): ModeDescription => ({
  dialect: 'openai-speech',
  ...common,
  acceptsStreamOptions: false,
  ...options,
})

/** `POST {base}/v1/audio/transcriptions` and `/v1/audio/translations`, by the mode. */
const openAiTranscriptions = (options?: ModeOptions): ModeDescription => ({
  dialect: 'openai-transcriptions',
  ...common,
  body: 'form',
  acceptsStreamOptions: false,
  ...options,
})

/** Speech at a vendor that takes OpenAI's request, responds with the audio itself and streams no events. */
export const plainSpeech = (options?: ModeOptions): ModeDescription => ({
  ...openAiSpeech(options),
  dialect: 'plain-speech',
})

/** Transcripts at a vendor that takes a form and responds with JSON in one piece. */
export const plainTranscriptions = (options?: ModeOptions): ModeDescription => ({
  ...openAiTranscriptions(options),
  dialect: 'plain-transcriptions',
  headers: acceptJson,
})

/** Leaves out members of such a request that the vendor does not know, and names them. */
export const withoutUnknown =
  (...names: readonly string[]): Change =>
  (body, _target, warn) =>
    refusing(body, names, warn)

/** The same for vendors that rank texts and take nothing else. */
export const plainRerank = (options?: ModeOptions): ModeDescription =>
  rerank({ shape: (body) => ({ body: writePlainRerank(body, () => {}) }), ...options })

/** OpenAI's three modes of audio. */
export const openAiAudio = (options?: ModeOptions) => ({
  speech: openAiSpeech(options),
  transcription: openAiTranscriptions(options),
  translation: openAiTranscriptions(options),
})

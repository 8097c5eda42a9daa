import { isEmbeddingName, modelOf, type ModelKind } from '@tollgate/models'

/** Names that reveal the kind of a model, and win over the catalog. */
const namedKinds: readonly (readonly [RegExp, ModelKind])[] = [
  [/^(?:veo|sora|wan\d|wanx|happyhorse|kling|jimeng|vidu|hailuo|minimax-h)|seedance|hailuo|imagine-video/i, 'video'],
  [/rerank/i, 'rerank'],
  [/moderation/i, 'moderation'],
  [/realtime/i, 'realtime'],
]

/** The same for models that the catalog does not know. */
const guessedKinds: readonly (readonly [RegExp, ModelKind])[] = [
  [/whisper|transcribe|paraformer|sensevoice|[-_](?:asr|stt)\b/i, 'transcription'],
  [/^tts|[-_]tts\b|cosyvoice|^speech-|sambert/i, 'speech'],
  [/dall-?e|gpt-image|flux|imagen|stable-diffusion|^sd3|seedream|cogview|kolors|[-_]image\b/i, 'image'],
  [/instruct$|^(?:davinci|babbage)-/i, 'completion'],
]

const kindIn = (kinds: readonly (readonly [RegExp, ModelKind])[], model: string): ModelKind | undefined =>
  kinds.find(([pattern]) => pattern.test(model))?.[1]

/** Returns what a model is for, by its vendor's name. */
export function kindOfModel(name: string): ModelKind {
  if (isEmbeddingName(name)) return 'embedding'
  return kindIn(namedKinds, name) ?? modelOf(name)?.kind ?? kindIn(guessedKinds, name) ?? 'chat'
}

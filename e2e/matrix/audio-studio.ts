import { inEvents, serviceAccount, type StudioCall, type StudioVendor } from './studio'

/** A vendor of speech, and the formats in which it gives what it is asked for. */
export interface Speaker extends StudioVendor {
  readonly streams: boolean
  /** The format that is asked for. */
  readonly format: 'mp3' | 'wav'
}

/** A vendor of transcripts. */
export interface Listener extends StudioVendor {
  /** Into English. */
  readonly translates: boolean
  readonly streams: boolean
}

export const spoken = 'The harbour freezes.'
const samples = Buffer.from([1, 0, 2, 0, 3, 0])
const data = samples.toString('base64')

/** 15 dollars for a million characters. */
const byCharacter = { price: { prices: { per_character: 15 } }, quota: Math.round(spoken.length * 7.5) }
/** Half a dollar for a million tokens of text, 10 for those of audio: 9 and 50 of them. */
const byToken = { price: { prices: { input: 0.5, output: 10, audio_out: 10 } }, quota: Math.round(9 * 0.25 + 50 * 5) }

const sound = () => new Response(samples, { headers: { 'content-type': 'audio/mpeg' } })
const says = (value: unknown): boolean => JSON.stringify(value).includes(spoken)

const event = (told: object) => `data:${JSON.stringify(told)}\n\n`
const eventsOf = (...told: readonly object[]) => inEvents(told.map(event).join(''))

const deployed = (model: string, path: string) => `/openai/deployments/${model}${path}`

const openAi =
  (own = '/v1/audio/speech') =>
  ({ path, body }: StudioCall) => {
    if (path !== own || !says(body)) return null
    if (body['stream_format'] !== 'sse') return sound()
    return eventsOf(
      { type: 'speech.audio.delta', audio: data },
      { type: 'speech.audio.done', usage: { input_tokens: 9, output_tokens: 50 } },
    )
  }

const geminiAnswer = ({ path, body }: StudioCall) =>
  path.endsWith(':generateContent') && says(body)
    ? {
        candidates: [{ content: { parts: [{ inlineData: { mimeType: 'audio/L16;codec=pcm;rate=24000', data } }] } }],
        usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 50, totalTokenCount: 59 },
      }
    : null

const dashScope =
  (address: string, usage: object) =>
  ({ path, headers, body }: StudioCall) =>
    path === `/api/v1/services/${address}` && headers.get('x-dashscope-sse') === 'enable' && says(body)
      ? eventsOf(
          { output: { audio: { data }, finish_reason: 'null' } },
          { output: { audio: { data: '', url: 'http://example.com/a.wav' }, finish_reason: 'stop' }, usage },
        )
      : null

export const speakers: readonly Speaker[] = [
  { name: 'OpenAI', type: 1, model: 'tts-1', ...byCharacter, format: 'mp3', streams: true, answer: openAi() },
  {
    name: 'Azure OpenAI',
    type: 3,
    model: 'tts-1-hd',
    ...byCharacter,
    format: 'mp3',
    streams: true,
    answer: openAi(deployed('tts-1-hd', '/audio/speech')),
  },
  { name: 'SiliconCloud', type: 40, model: 'a-voice', ...byCharacter, format: 'mp3', streams: true, answer: openAi() },
  { name: 'Xinference', type: 47, model: 'ChatTTS', ...byCharacter, format: 'mp3', streams: true, answer: openAi() },
  {
    name: 'Gemini',
    type: 24,
    model: 'gemini-2.5-flash-preview-tts',
    ...byToken,
    format: 'wav',
    streams: true,
    answer: geminiAnswer,
  },
  {
    name: 'Vertex',
    type: 41,
    model: 'gemini-2.5-flash-tts',
    key: serviceAccount,
    other: 'us-central1',
    ...byToken,
    format: 'wav',
    streams: true,
    answer: geminiAnswer,
  },
  {
    name: 'MiniMax',
    type: 35,
    model: 'speech-2.6-hd',
    ...byCharacter,
    format: 'mp3',
    streams: true,
    answer: ({ path, body }) =>
      path === '/v1/t2a_v2' && says(body)
        ? {
            data: { audio: samples.toString('hex'), status: 2 },
            extra_info: { audio_format: 'mp3', usage_characters: spoken.length },
            base_resp: { status_code: 0 },
          }
        : null,
  },
  {
    name: 'xAI',
    type: 48,
    model: 'grok-tts',
    ...byCharacter,
    format: 'mp3',
    streams: false,
    answer: ({ path, body }) => (path === '/v1/tts' && says(body) ? sound() : null),
  },
  {
    name: 'OpenRouter',
    type: 20,
    model: 'openai/gpt-4o-mini-tts',
    ...byCharacter,
    format: 'mp3',
    streams: false,
    answer: openAi(),
  },
  {
    name: 'Mistral',
    type: 42,
    model: 'voxtral-mini-tts-3-0',
    ...byCharacter,
    format: 'mp3',
    streams: true,
    answer: ({ path, body }) =>
      path === '/v1/audio/speech' && says(body) && body['voice_id'] === 'en_paul_neutral' ? { audio_data: data } : null,
  },
  {
    name: 'Cloudflare',
    type: 39,
    model: '@cf/deepgram/aura-1',
    other: 'an-account',
    ...byCharacter,
    format: 'mp3',
    streams: false,
    answer: ({ path, body }) => (path.endsWith('/ai/run/@cf/deepgram/aura-1') && says(body['text']) ? sound() : null),
  },
  {
    name: 'Zhipu',
    type: 16,
    model: 'glm-tts',
    key: 'an-id.not-a-real-secret',
    ...byCharacter,
    format: 'wav',
    streams: false,
    answer: ({ path, body }) =>
      path === '/api/paas/v4/audio/speech' && says(body) && body['voice'] === 'tongtong'
        ? new Response(samples, { headers: { 'content-type': 'audio/wav' } })
        : null,
  },
  {
    name: 'DashScope (Qwen)',
    type: 17,
    model: 'qwen3-tts-flash',
    ...byToken,
    format: 'wav',
    streams: true,
    answer: dashScope('aigc/multimodal-generation/generation', { input_tokens: 9, output_tokens: 50 }),
  },
  {
    name: 'DashScope (CosyVoice)',
    type: 17,
    model: 'cosyvoice-v3-flash',
    ...byCharacter,
    format: 'mp3',
    streams: true,
    answer: dashScope('audio/tts/SpeechSynthesizer', { characters: spoken.length }),
  },
  {
    name: 'VolcEngine',
    type: 45,
    model: 'seed-tts-2.0',
    key: 'an-app|not-a-real-token',
    ...byCharacter,
    format: 'mp3',
    streams: true,
    answer: ({ path, headers, body }) =>
      path === '/api/v3/tts/unidirectional' && headers.get('x-api-resource-id') === 'seed-tts-2.0' && says(body)
        ? new Response(`${JSON.stringify({ code: 0, data })}\n${JSON.stringify({ code: 20_000_000 })}\n`)
        : null,
  },
]

export const transcript = 'The harbour freezes in January.'
export const translated = 'The port ices over in January.'

/** Three seconds at 0.006 dollars a minute. */
const bySecond = { price: { prices: { per_second: 0.0001 } }, quota: 3 * 50 }

/** Serves transcripts, and translations where they are asked for. */
const openAiTranscript =
  (prefix = '/v1') =>
  ({ path, body }: StudioCall) => {
    const isTranslation = path === `${prefix}/audio/translations`
    if (!(body['file'] instanceof Blob) || (path !== `${prefix}/audio/transcriptions` && !isTranslation)) return null
    if (isTranslation) return { text: translated, duration: 3 }
    if (body['stream'] === 'true')
      return eventsOf(
        { type: 'transcript.text.delta', delta: transcript },
        { type: 'transcript.text.done', text: transcript, usage: { type: 'duration', seconds: 3 } },
      )
    const format = body['response_format']
    if (format === 'text') return new Response(`${transcript}\n`)
    return { text: transcript, usage: { type: 'duration', seconds: 3 } }
  }

/** A dollar for a million tokens of audio, 2.5 for those of output: 96 and 8 of them, and 20 of the instruction. */
const byHeardToken = {
  price: { prices: { input: 0.3, audio_in: 1, output: 2.5 } },
  quota: Math.round(20 * 0.15 + 96 * 0.5 + 8 * 1.25),
}

/** Does as it is instructed. */
const geminiHears = ({ path, body }: StudioCall) => {
  const said = JSON.stringify(body['systemInstruction'])
  if (!path.endsWith(':generateContent') || !JSON.stringify(body['contents']).includes('inlineData')) return null
  const text = said.includes('in English') ? translated : transcript
  return {
    candidates: [{ content: { parts: [{ text: `${text}\n` }] }, finishReason: 'STOP' }],
    usageMetadata: {
      promptTokenCount: 116,
      promptTokensDetails: [
        { modality: 'TEXT', tokenCount: 20 },
        { modality: 'AUDIO', tokenCount: 96 },
      ],
      candidatesTokenCount: 8,
      totalTokenCount: 124,
    },
  }
}

/** Takes a form of nothing but these fields. */
const plainTranscript =
  (own: string, fields: readonly string[], more: object) =>
  ({ path, body }: StudioCall) =>
    path === own && body['file'] instanceof Blob && Object.keys(body).every((name) => fields.includes(name))
      ? { text: transcript, ...more }
      : null

export const listeners: readonly Listener[] = [
  {
    name: 'Gemini',
    type: 24,
    model: 'gemini-2.5-flash',
    ...byHeardToken,
    translates: true,
    streams: true,
    answer: geminiHears,
  },
  {
    name: 'Vertex',
    type: 41,
    model: 'gemini-3-flash-preview',
    key: serviceAccount,
    other: 'us-central1',
    ...byHeardToken,
    translates: true,
    streams: true,
    answer: geminiHears,
  },
  {
    name: 'Mistral',
    type: 42,
    model: 'voxtral-mini-latest',
    ...bySecond,
    translates: false,
    streams: true,
    answer: plainTranscript('/v1/audio/transcriptions', ['model', 'file'], {
      model: 'voxtral-mini-2602',
      language: null,
      usage: { prompt_audio_seconds: 3, prompt_tokens: 4, completion_tokens: 8, total_tokens: 12 },
    }),
  },
  {
    name: 'Zhipu',
    type: 16,
    model: 'glm-asr-2512',
    key: 'an-id.not-a-real-secret',
    ...bySecond,
    translates: false,
    streams: true,
    answer: plainTranscript('/api/paas/v4/audio/transcriptions', ['model', 'file'], { id: 'a-task', created: 1 }),
  },
  {
    name: 'xAI',
    type: 48,
    model: 'grok-stt',
    ...bySecond,
    translates: false,
    streams: true,
    answer: plainTranscript('/v1/stt', ['file'], { language: 'en', duration: 2.98, words: [] }),
  },
  {
    name: 'OpenRouter',
    type: 20,
    model: 'openai/whisper-large-v3-turbo',
    ...bySecond,
    translates: false,
    streams: true,
    answer: ({ path, body }) =>
      path === '/v1/audio/transcriptions' && /"format":"(?:wav|mp3)"/.test(JSON.stringify(body['input_audio']))
        ? { text: transcript, usage: { seconds: 3, cost: 0.0003 } }
        : null,
  },
  {
    name: 'Cloudflare',
    type: 39,
    model: '@cf/openai/whisper-large-v3-turbo',
    other: 'an-account',
    ...bySecond,
    translates: true,
    streams: true,
    answer: ({ path, body }) =>
      path.endsWith('/ai/run/@cf/openai/whisper-large-v3-turbo') && typeof body['audio'] === 'string'
        ? {
            result: {
              text: body['task'] === 'translate' ? translated : transcript,
              transcription_info: { duration: 2.98 },
            },
            success: true,
          }
        : null,
  },
  {
    name: 'OpenAI',
    type: 1,
    model: 'gpt-4o-transcribe',
    ...bySecond,
    translates: true,
    streams: true,
    answer: openAiTranscript(),
  },
  {
    name: 'Azure OpenAI',
    type: 3,
    model: 'gpt-4o-mini-transcribe',
    ...bySecond,
    translates: true,
    streams: true,
    answer: openAiTranscript(deployed('gpt-4o-mini-transcribe', '')),
  },
  {
    name: 'SiliconCloud',
    type: 40,
    model: 'a-listener',
    ...bySecond,
    translates: true,
    streams: true,
    answer: openAiTranscript(),
  },
  {
    name: 'Xinference',
    type: 47,
    model: 'whisper-large-v3',
    ...bySecond,
    translates: true,
    streams: false,
    answer: openAiTranscript(),
  },
  {
    name: 'DashScope (Qwen)',
    type: 17,
    model: 'qwen3-asr-flash',
    ...bySecond,
    translates: false,
    streams: true,
    answer: ({ path, body }) =>
      path === '/compatible-mode/v1/chat/completions' && JSON.stringify(body).includes('input_audio')
        ? {
            choices: [{ message: { role: 'assistant', content: transcript } }],
            usage: { prompt_tokens: 42, completion_tokens: 8, seconds: 3 },
          }
        : null,
  },
  {
    name: 'VolcEngine',
    type: 45,
    model: 'volc.bigasr.auc_turbo',
    key: 'an-app|not-a-real-token',
    ...bySecond,
    translates: false,
    streams: true,
    answer: ({ path, headers, body }) =>
      path === '/api/v3/auc/bigmodel/recognize/flash' &&
      headers.get('x-api-app-key') === 'an-app' &&
      JSON.stringify(body).includes('"data"')
        ? { audio_info: { duration: 2980 }, result: { text: transcript } }
        : null,
  },
]

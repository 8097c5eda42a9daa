import { dataEvents, serviceAccount, type StudioCall, type StudioVendor } from './studio'

/** A vendor of transcripts. */
export interface Listener extends StudioVendor {
  /** Into English. */
  readonly translates: boolean
  readonly streams: boolean
}

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
      return dataEvents(
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
  const instruction = JSON.stringify(body['systemInstruction'])
  if (!path.endsWith(':generateContent') || !JSON.stringify(body['contents']).includes('inlineData')) return null
  const text = instruction.includes('in English') ? translated : transcript
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
    response: geminiHears,
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
    response: geminiHears,
  },
  {
    name: 'Mistral',
    type: 42,
    model: 'voxtral-mini-latest',
    ...bySecond,
    translates: false,
    streams: true,
    response: plainTranscript('/v1/audio/transcriptions', ['model', 'file'], {
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
    response: plainTranscript('/api/paas/v4/audio/transcriptions', ['model', 'file'], { id: 'a-task', created: 1 }),
  },
  {
    name: 'xAI',
    type: 48,
    model: 'grok-stt',
    ...bySecond,
    translates: false,
    streams: true,
    response: plainTranscript('/v1/stt', ['file'], { language: 'en', duration: 2.98, words: [] }),
  },
  {
    name: 'OpenRouter',
    type: 20,
    model: 'openai/whisper-large-v3-turbo',
    ...bySecond,
    translates: false,
    streams: true,
    response: ({ path, body }) =>
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
    response: ({ path, body }) =>
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
    response: openAiTranscript(),
  },
  {
    name: 'Azure OpenAI',
    type: 3,
    model: 'gpt-4o-mini-transcribe',
    ...bySecond,
    translates: true,
    streams: true,
    response: openAiTranscript('/openai/deployments/gpt-4o-mini-transcribe'),
  },
  {
    name: 'SiliconCloud',
    type: 40,
    model: 'a-listener',
    ...bySecond,
    translates: true,
    streams: true,
    response: openAiTranscript(),
  },
  {
    name: 'Xinference',
    type: 47,
    model: 'whisper-large-v3',
    ...bySecond,
    translates: true,
    streams: false,
    response: openAiTranscript(),
  },
  {
    name: 'DashScope (Qwen)',
    type: 17,
    model: 'qwen3-asr-flash',
    ...bySecond,
    translates: false,
    streams: true,
    response: ({ path, body }) =>
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
    response: ({ path, headers, body }) =>
      path === '/api/v3/auc/bigmodel/recognize/flash' &&
      headers.get('x-api-app-key') === 'an-app' &&
      JSON.stringify(body).includes('"data"')
        ? { audio_info: { duration: 2980 }, result: { text: transcript } }
        : null,
  },
]

import { dataEvents, serviceAccount, type StudioCall, type StudioVendor } from './studio'

/** A vendor of speech, and the formats in which it gives what it is asked for. */
export interface Speaker extends StudioVendor {
  readonly streams: boolean
  /** The format that is asked for. */
  readonly format: 'mp3' | 'wav'
}

export const spoken = 'The harbour freezes.'
const samples = Buffer.from([1, 0, 2, 0, 3, 0])
const data = samples.toString('base64')

/** 15 dollars for a million characters. */
const byCharacter = { price: { prices: { per_character: 15 } }, quota: Math.round(spoken.length * 7.5) }
/** Half a dollar for a million tokens of text, 10 for those of audio: 9 and 50 of them. */
const byToken = { price: { prices: { input: 0.5, output: 10, audio_out: 10 } }, quota: Math.round(9 * 0.25 + 50 * 5) }

const sound = () => new Response(samples, { headers: { 'content-type': 'audio/mpeg' } })
const includesText = (value: unknown): boolean => JSON.stringify(value).includes(spoken)

const openAi =
  (own = '/v1/audio/speech') =>
  ({ path, body }: StudioCall) => {
    if (path !== own || !includesText(body)) return null
    if (body['stream_format'] !== 'sse') return sound()
    return dataEvents(
      { type: 'speech.audio.delta', audio: data },
      { type: 'speech.audio.done', usage: { input_tokens: 9, output_tokens: 50 } },
    )
  }

const geminiResponse = ({ path, body }: StudioCall) =>
  path.endsWith(':generateContent') && includesText(body)
    ? {
        candidates: [{ content: { parts: [{ inlineData: { mimeType: 'audio/L16;codec=pcm;rate=24000', data } }] } }],
        usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 50, totalTokenCount: 59 },
      }
    : null

const dashScope =
  (address: string, usage: object) =>
  ({ path, headers, body }: StudioCall) =>
    path === `/api/v1/services/${address}` && headers.get('x-dashscope-sse') === 'enable' && includesText(body)
      ? dataEvents(
          { output: { audio: { data }, finish_reason: 'null' } },
          { output: { audio: { data: '', url: 'http://example.com/a.wav' }, finish_reason: 'stop' }, usage },
        )
      : null

export const speakers: readonly Speaker[] = [
  { name: 'OpenAI', type: 1, model: 'tts-1', ...byCharacter, format: 'mp3', streams: true, response: openAi() },
  {
    name: 'Azure OpenAI',
    type: 3,
    model: 'tts-1-hd',
    ...byCharacter,
    format: 'mp3',
    streams: true,
    response: openAi('/openai/deployments/tts-1-hd/audio/speech'),
  },
  {
    name: 'SiliconCloud',
    type: 40,
    model: 'a-voice',
    ...byCharacter,
    format: 'mp3',
    streams: true,
    response: openAi(),
  },
  { name: 'Xinference', type: 47, model: 'ChatTTS', ...byCharacter, format: 'mp3', streams: true, response: openAi() },
  {
    name: 'Gemini',
    type: 24,
    model: 'gemini-2.5-flash-preview-tts',
    ...byToken,
    format: 'wav',
    streams: true,
    response: geminiResponse,
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
    response: geminiResponse,
  },
  {
    name: 'MiniMax',
    type: 35,
    model: 'speech-2.6-hd',
    ...byCharacter,
    format: 'mp3',
    streams: true,
    response: ({ path, body }) =>
      path === '/v1/t2a_v2' && includesText(body)
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
    response: ({ path, body }) => (path === '/v1/tts' && includesText(body) ? sound() : null),
  },
  {
    name: 'OpenRouter',
    type: 20,
    model: 'openai/gpt-4o-mini-tts',
    ...byCharacter,
    format: 'mp3',
    streams: false,
    response: openAi(),
  },
  {
    name: 'Mistral',
    type: 42,
    model: 'voxtral-mini-tts-3-0',
    ...byCharacter,
    format: 'mp3',
    streams: true,
    response: ({ path, body }) =>
      path === '/v1/audio/speech' && includesText(body) && body['voice_id'] === 'en_paul_neutral'
        ? { audio_data: data }
        : null,
  },
  {
    name: 'Cloudflare',
    type: 39,
    model: '@cf/deepgram/aura-1',
    other: 'an-account',
    ...byCharacter,
    format: 'mp3',
    streams: false,
    response: ({ path, body }) =>
      path.endsWith('/ai/run/@cf/deepgram/aura-1') && includesText(body['text']) ? sound() : null,
  },
  {
    name: 'Zhipu',
    type: 16,
    model: 'glm-tts',
    key: 'an-id.not-a-real-secret',
    ...byCharacter,
    format: 'wav',
    streams: false,
    response: ({ path, body }) =>
      path === '/api/paas/v4/audio/speech' && includesText(body) && body['voice'] === 'tongtong'
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
    response: dashScope('aigc/multimodal-generation/generation', { input_tokens: 9, output_tokens: 50 }),
  },
  {
    name: 'DashScope (CosyVoice)',
    type: 17,
    model: 'cosyvoice-v3-flash',
    ...byCharacter,
    format: 'mp3',
    streams: true,
    response: dashScope('audio/tts/SpeechSynthesizer', { characters: spoken.length }),
  },
  {
    name: 'VolcEngine',
    type: 45,
    model: 'seed-tts-2.0',
    key: 'an-app|not-a-real-token',
    ...byCharacter,
    format: 'mp3',
    streams: true,
    response: ({ path, headers, body }) =>
      path === '/api/v3/tts/unidirectional' && headers.get('x-api-resource-id') === 'seed-tts-2.0' && includesText(body)
        ? new Response(`${JSON.stringify({ code: 0, data })}\n${JSON.stringify({ code: 20_000_000 })}\n`)
        : null,
  },
]

import { dataEvents, inEvents, serviceAccount, type StudioCall, type StudioVendor } from './studio'

/** A vendor of images. */
export interface ImageVendor extends StudioVendor {
  /** What three images cost, in quota: three calls may round otherwise than one, and one call may report one usage for all. */
  readonly quotaOfThree: number
  readonly edits: boolean
  /** Draws variations of an image. */
  readonly varies?: boolean
  /** Draws in chats too. */
  readonly chats?: boolean
}

/** A picture of one pixel, as every vendor draws it. */
export const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
export const pixelBytes = Buffer.from(pixel, 'base64')
export const pixelAddress = 'https://example.com/a.png'

/** 0.02 dollars for an image. */
const byImage = { price: { prices: { per_image: 0.02 } }, quota: 10_000, quotaOfThree: 30_000 }

/** As many as a call asks for. */
const times = <Value>(count: unknown, value: Value): Value[] =>
  Array.from({ length: typeof count === 'number' ? count : 1 }, () => value)

const event = (type: string, more: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`

const openAiUsage = {
  input_tokens: 100,
  output_tokens: 1000,
  total_tokens: 1100,
  input_tokens_details: { text_tokens: 60, image_tokens: 40 },
}

const openAi =
  (prefix = '/v1', expectedText = '') =>
  ({ path, query, body }: StudioCall) => {
    const operation = ['generations', 'edits', 'variations'].find((name) => path === `${prefix}/images/${name}`)
    if (
      operation === undefined ||
      query !== expectedText ||
      (operation !== 'generations' && body['image'] === undefined)
    )
      return null
    const kind = operation === 'edits' ? 'image_edit' : 'image_generation'
    const drawn = { b64_json: pixel }
    if (String(body['stream']) !== 'true') return { created: 1, data: times(body['n'], drawn), usage: openAiUsage }
    const partial = event(`${kind}.partial_image`, { ...drawn, partial_image_index: 0 })
    return inEvents(partial + event(`${kind}.completed`, { ...drawn, usage: openAiUsage }))
  }

const includesText = (body: unknown, ...texts: readonly string[]): boolean =>
  texts.every((text) => JSON.stringify(body).includes(text))

/** The same for all vendors that name the image's address. */
const drawnAt = ({ n }: StudioCall['body'] = {}) => ({ created: 1, data: times(n, { url: pixelAddress }) })

function seedream({ path, body }: StudioCall) {
  if (path !== '/api/v3/images/generations') return null
  const drawn = { url: pixelAddress, size: '2048x2048' }
  const usage = { generated_images: 1, output_tokens: 16_384, total_tokens: 16_384 }
  if (body['stream'] !== true) return { model: 'seedream', created: 1, data: [drawn], usage }
  return inEvents(
    event('image_generation.partial_succeeded', { image_index: 0, created: 1, ...drawn }) +
      event('image_generation.completed', { created: 1, usage }) +
      'data: [DONE]\n\n',
  )
}

const imagen = ({ path, body }: StudioCall) => {
  const { sampleCount } = Object(body['parameters']) as { sampleCount?: number }
  const prediction = { mimeType: 'image/png', bytesBase64Encoded: pixel }
  return path.endsWith(':predict') ? { predictions: times(sampleCount, prediction) } : null
}

const geminiDrawn = {
  candidates: [{ content: { parts: [{ inlineData: { mimeType: 'image/png', data: pixel } }] }, finishReason: 'STOP' }],
  usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 1290, totalTokenCount: 1300 },
}

function geminiResponse({ path, query }: StudioCall) {
  if (path.endsWith(':generateContent')) return geminiDrawn
  return path.endsWith(':streamGenerateContent') && query === '?alt=sse' ? dataEvents(geminiDrawn) : null
}

export const imageVendors: readonly ImageVendor[] = [
  {
    name: 'OpenAI',
    type: 1,
    model: 'gpt-image-1',
    // At 5, 10 and 40 dollars for a million tokens of text, images and output.
    price: { prices: { input: 5, image_in: 10, output: 40 } },
    quota: 60 * 2.5 + 40 * 5 + 1000 * 20,
    quotaOfThree: 60 * 2.5 + 40 * 5 + 1000 * 20,
    edits: true,
    varies: true,
    response: openAi(),
  },
  {
    name: 'Azure OpenAI',
    type: 3,
    model: 'gpt-image-1-mini',
    other: '2025-04-01-preview',
    price: { prices: { input: 2, image_in: 2.5, output: 8 } },
    quota: 60 * 1 + 40 * 1.25 + 1000 * 4,
    quotaOfThree: 60 * 1 + 40 * 1.25 + 1000 * 4,
    edits: true,
    varies: true,
    response: openAi('/openai/deployments/gpt-image-1-mini', '?api-version=2025-04-01-preview'),
  },
  {
    name: 'Gemini',
    type: 24,
    model: 'gemini-2.5-flash-image',
    price: { prices: { input: 0.3, output: 30 } },
    quota: Math.round(10 * 0.15 + 1290 * 15),
    quotaOfThree: Math.round(3 * (10 * 0.15 + 1290 * 15)),
    edits: true,
    chats: true,
    response: geminiResponse,
  },
  { name: 'Imagen', type: 24, model: 'imagen-4.0-generate-001', ...byImage, edits: false, response: imagen },
  {
    name: 'Imagen at Vertex',
    type: 41,
    model: 'imagen-3.0-capability-001',
    key: serviceAccount,
    other: 'us-central1',
    ...byImage,
    edits: true,
    response: imagen,
  },
  {
    name: 'Bedrock (Nova)',
    type: 33,
    model: 'amazon.nova-canvas-v1:0',
    key: 'AKIAFAKE|not-a-real-secret|us-east-1',
    ...byImage,
    edits: true,
    response: ({ path, body }) => {
      const { numberOfImages } = Object(body['imageGenerationConfig']) as { numberOfImages?: number }
      return path.endsWith('/invoke') ? { images: times(numberOfImages, pixel) } : null
    },
  },
  {
    name: 'Bedrock (Stability)',
    type: 33,
    model: 'stability.sd3-5-large-v1:0',
    key: 'AKIAFAKE|not-a-real-secret|us-east-1',
    ...byImage,
    edits: true,
    response: ({ path }) => (path.endsWith('/invoke') ? { images: [pixel], finish_reasons: [null] } : null),
  },
  {
    name: 'Cloudflare (FLUX.2)',
    type: 39,
    model: '@cf/black-forest-labs/flux-2-dev',
    alias: 'flux-2-dev',
    other: 'an-account',
    ...byImage,
    edits: true,
    response: ({ path, body }) =>
      path === '/client/v4/accounts/an-account/ai/run/@cf/black-forest-labs/flux-2-dev' &&
      includesText(body, 'A harbour')
        ? { result: { image: pixel }, success: true, errors: [], messages: [] }
        : null,
  },
  {
    name: 'Cloudflare (FLUX.1)',
    type: 39,
    model: '@cf/black-forest-labs/flux-1-schnell',
    alias: 'flux-1-schnell',
    other: 'an-account',
    ...byImage,
    edits: false,
    // It takes nothing but a prompt, steps and a seed.
    response: ({ path, body }) =>
      path.endsWith('/ai/run/@cf/black-forest-labs/flux-1-schnell') && Object.keys(body).join() === 'prompt'
        ? { result: { image: pixel }, success: true, errors: [], messages: [] }
        : null,
  },
  {
    name: 'Cloudflare (Leonardo)',
    type: 39,
    model: '@cf/leonardo/phoenix-1.0',
    alias: 'phoenix-1.0',
    other: 'an-account',
    ...byImage,
    edits: false,
    response: ({ path }) =>
      path.endsWith('/ai/run/@cf/leonardo/phoenix-1.0')
        ? new Response(pixelBytes, { headers: { 'content-type': 'image/png' } })
        : null,
  },
  {
    name: 'Cloudflare (Stable Diffusion)',
    type: 39,
    model: '@cf/stabilityai/stable-diffusion-xl-base-1.0',
    alias: 'stable-diffusion-xl',
    other: 'an-account',
    ...byImage,
    edits: true,
    response: ({ path }) =>
      path.includes('/ai/run/@cf/stabilityai/')
        ? new Response(pixelBytes, { headers: { 'content-type': 'image/png' } })
        : null,
  },
  {
    name: 'DashScope',
    type: 17,
    model: 'qwen-image-edit-plus',
    ...byImage,
    edits: true,
    response: ({ path, body }) => {
      const { n } = Object(body['parameters']) as { n?: number }
      return path.endsWith('/multimodal-generation/generation')
        ? {
            output: { choices: [{ message: { content: times(n, { image: pixelAddress }) } }] },
            usage: { image_count: n },
          }
        : null
    },
  },
  {
    name: 'MiniMax',
    type: 35,
    model: 'image-01',
    ...byImage,
    edits: false,
    response: ({ path, body }) =>
      path === '/v1/image_generation'
        ? { data: { image_urls: times(body['n'], pixelAddress) }, base_resp: { status_code: 0, status_msg: 'success' } }
        : null,
  },
  {
    name: 'OpenRouter',
    type: 20,
    model: 'google/gemini-2.5-flash-image',
    alias: 'gemini-image-of-openrouter',
    ...byImage,
    edits: true,
    response: ({ path, body }) =>
      path === '/v1/images' && body['n'] === undefined ? { created: 1, data: [{ b64_json: pixel }] } : null,
  },
  {
    name: 'Qianfan',
    type: 46,
    model: 'irag-1.0',
    ...byImage,
    edits: false,
    response: ({ path, body }) => (path === '/v2/images/generations' ? drawnAt(body) : null),
  },
  {
    name: 'SiliconCloud',
    type: 40,
    model: 'Qwen/Qwen-Image-Edit-2509',
    alias: 'qwen-image-edit',
    ...byImage,
    edits: true,
    response: ({ path }) =>
      path === '/v1/images/generations'
        ? { images: [{ url: pixelAddress }], timings: { inference: 1 }, seed: 1 }
        : null,
  },
  {
    name: 'VolcEngine',
    type: 45,
    model: 'doubao-seedream-4-0-250828',
    // A token stands for 256 pixels.
    price: { prices: { input: 0, output: 2 } },
    quota: 16_384,
    quotaOfThree: 3 * 16_384,
    edits: true,
    response: seedream,
  },
  {
    name: 'xAI',
    type: 48,
    model: 'grok-imagine-image',
    ...byImage,
    edits: true,
    response: ({ path, body }) =>
      path === '/v1/images/generations' || (path === '/v1/images/edits' && includesText(body['image'], 'image_url'))
        ? drawnAt(body)
        : null,
  },
  {
    name: 'Xinference',
    type: 47,
    model: 'sd3-medium',
    ...byImage,
    edits: true,
    response: ({ path, body }) =>
      path === '/v1/images/generations' || (path === '/v1/images/edits' && body['image'] instanceof Blob)
        ? drawnAt(body)
        : null,
  },
  {
    name: 'Zhipu',
    type: 16,
    model: 'cogview-4',
    key: 'an-id.not-a-real-secret',
    ...byImage,
    edits: false,
    response: ({ path }) => (path === '/api/paas/v4/images/generations' ? drawnAt() : null),
  },
]

import { takesCloudflareForm, wrappedImage, WrappedImage } from '@tollgate/dialects'

import { bearer } from '../auth'
import { keyFormat } from '../fields'
import { acceptJson, openAiChat, openAiEmbeddings, openAiResponses, ownImages } from '../modes'
import { defineProvider, type ModeTarget, type Target } from '../provider'
import { modelInPath, nameInPath, openAiPath } from '../urls'
import { withMessages } from './anthropic'

/** Behind Cloudflare's AI Gateway, whose address names the account already, it stands at the root. */
const at =
  (task?: string) =>
  (target: Target): string =>
    openAiPath(`/client/v4/accounts/${nameInPath(target.other.trim())}/ai/v1`, '/v1', task)(target)

/** Every model has an address. https://developers.cloudflare.com/api/resources/ai/methods/run */
const run = (target: Target): string =>
  openAiPath(`/client/v4/accounts/${nameInPath(target.other.trim())}/ai/run`, '', modelInPath(target.model))(target)

/** Some models respond with the image itself. */
const images = ({ model }: Pick<ModeTarget, 'model'>) =>
  ownImages('cloudflare-images', {
    url: run,
    maxImages: 1,
    headers: () => ({ accept: '*/*' }),
    collect: wrappedImage,
    createUnframer: () => new WrappedImage(),
    ...(takesCloudflareForm(model) && { body: 'form' }),
  })

const heard = { url: run, headers: acceptJson, acceptsStreamOptions: false } as const

/** https://developers.cloudflare.com/workers-ai/configuration/open-ai-compatibility/ */
export const cloudflare = defineProvider({
  type: 39,
  id: 'cloudflare',
  name: { en: 'Cloudflare Workers AI', zh: 'Cloudflare Workers AI' },
  baseUrl: 'https://api.cloudflare.com',
  auth: bearer(),
  billsAbandoned: 'whole',
  key: keyFormat('v1.0-…'),
  modes: {
    /** Models of other makers, which it calls itself: https://developers.cloudflare.com/ai-gateway/usage/rest-api/ */
    chat: withMessages(openAiChat({ url: at() }), { url: at('messages') }),
    embeddings: openAiEmbeddings({ url: at() }),
    images,
    'image-edits': images,
    speech: { dialect: 'cloudflare-speech', url: run, acceptsStreamOptions: false },
    transcription: { dialect: 'cloudflare-transcriptions', ...heard },
    translation: { dialect: 'cloudflare-translations', ...heard },
  },
  responses: openAiResponses({ url: at('responses'), lacksRemoteServers: () => true }),
  fields: [
    {
      name: 'other',
      kind: 'text',
      label: { en: 'Account ID', zh: 'Account ID' },
      hint: { en: 'Shown in the address of the dashboard', zh: '可在 Cloudflare 控制台的网址中找到' },
      placeholder: '023e105f4ecef8ad9ca31a8372d0c353',
      required: true,
    },
  ],
  models: [
    '@cf/openai/gpt-oss-120b',
    '@cf/openai/gpt-oss-20b',
    '@cf/meta/llama-4-scout-17b-16e-instruct',
    '@cf/meta/llama-3.3-70b-instruct-fp8-fast',
    '@cf/meta/llama-3.2-11b-vision-instruct',
    '@cf/meta/llama-3.1-8b-instruct',
    '@cf/mistralai/mistral-small-3.1-24b-instruct',
    '@cf/mistral/mistral-7b-instruct-v0.1',
    '@cf/google/gemma-3-12b-it',
    '@cf/qwen/qwen3-30b-a3b-fp8',
    '@cf/qwen/qwq-32b',
    '@cf/qwen/qwen2.5-coder-32b-instruct',
    '@cf/deepseek-ai/deepseek-r1-distill-qwen-32b',
    '@cf/baai/bge-m3',
    '@cf/baai/bge-large-en-v1.5',
    '@cf/baai/bge-base-en-v1.5',
    '@cf/baai/bge-small-en-v1.5',
    '@cf/black-forest-labs/flux-1-schnell',
    '@cf/black-forest-labs/flux-2-dev',
    '@cf/stabilityai/stable-diffusion-xl-base-1.0',
    '@cf/openai/whisper-large-v3-turbo',
  ],
})

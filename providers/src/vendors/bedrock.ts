import type { JsonObject } from '@tollgate/dialects'

import { bedrockBatches, bedrockBatchFields } from '../batches/bedrock-batches'
import { vendorBatchesField } from '../batches/vendor-batches'
import { anthropicMessages, openAiChat, openAiResponses, ownImages } from '../modes'
import { defineProvider, type ModeByTarget, type ModeDescription, type Target } from '../provider'
import { needsResponses } from '../responses-only'
import { shapedWith, withoutMembers } from '../shape'
import { nameInPath } from '../urls'
import { betasIn, takenBetas } from './anthropic-betas'
import { shapeAnthropic, splitThinking, withinClaude } from './anthropic-shape'
import { regionOf, authorizeBedrock } from './bedrock-auth'
import { bedrockId, bedrockModels } from './bedrock-models'
import { BedrockUnframer, eventOf, unpackEvent } from './bedrock-unframer'
import { bedrockBetas, withinBedrock } from './messages-hosts'

const version = 'bedrock-2023-05-31'

/** `{region}` in an address is that of the key; an address of the operator's own need not have it. */
const hostOf = (target: Target): string => target.baseUrl.replaceAll('{region}', regionOf(target))

/** A model's id, without what the channel adds to its name. */
const idOf = (model: string, region: string): string => bedrockId(splitThinking(model).model, region)

const at =
  (whole: string, streamed: string) =>
  (target: Target): string => {
    const id = nameInPath(idOf(target.model, regionOf(target)))
    return `${hostOf(target)}/model/${id}/${target.stream ? streamed : whole}`
  }
const url = at('invoke', 'invoke-with-response-stream')

const accept = ({ stream }: Target): Record<string, string> => ({
  accept: stream ? 'application/vnd.amazon.eventstream' : 'application/json',
})

/** Images are never streamed. */
const imageUrl = (target: Target): string => url({ ...target, stream: false })

/** https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages.html */
const shape = shapedWith(shapeAnthropic, withinClaude, withinBedrock, (body, { dialectHeaders }) => {
  const betas = takenBetas(collectBetas(body, dialectHeaders?.['anthropic-beta']), bedrockBetas)
  return {
    ...withoutMembers(body, 'model', 'stream'),
    anthropic_version: version,
    ...(betas.length > 0 && { anthropic_beta: betas }),
  }
})

/** Trials stand in the body here, and in a header elsewhere. */
const collectBetas = ({ anthropic_beta: inBody }: JsonObject, inHeader?: string): string[] => [
  ...(Array.isArray(inBody) ? inBody.map(String) : []),
  ...betasIn(inHeader),
]

const claude = anthropicMessages({
  url,
  headers: accept,
  shape,
  needsShape: true,
  lacksRemoteServers: () => true,
  createUnframer: () => new BedrockUnframer(unpackEvent),
})

/** OpenAI's models and open ones, a region perhaps before them, in OpenAI's words. https://docs.aws.amazon.com/bedrock/latest/userguide/endpoints.html */
const openModel = /^(?:[a-z]{2,6}\.)?(?:openai|deepseek|google|minimax|mistral|moonshot|moonshotai|nvidia|qwen|zai)\./
const openChat = openAiChat({ url: (target) => `${hostOf(target)}/openai/v1/chat/completions` })
const openResponses = openAiResponses({
  url: (target) => `${hostOf(target)}/openai/v1/responses`,
  lacksRemoteServers: () => true,
})

/** All others, as Nova and Llama. https://docs.aws.amazon.com/bedrock/latest/userguide/models-api-compatibility.html */
const isOther = (model: string): boolean => /^[a-z][a-z0-9-]*\.[a-z]/.test(model) && !/anthropic|claude/.test(model)
const converse: ModeDescription = {
  dialect: 'bedrock-converse',
  url: at('converse', 'converse-stream'),
  headers: accept,
  acceptsStreamOptions: false,
  shape: (body) => ({ body: withoutMembers(body, 'model') }),
  createUnframer: () => new BedrockUnframer(eventOf),
}

const chat: ModeByTarget = (target) => {
  if (!openModel.test(target.model)) return isOther(target.model) ? converse : claude
  const model = target.model.replace(/^.*?openai\./, '')
  return target.hasResponses || needsResponses({ ...target, model }) ? openResponses : openChat
}

const images: ModeByTarget = ({ model }) =>
  /stability|^sd3|^stable-/.test(model)
    ? ownImages('stability-images', { url: imageUrl, maxImages: 1 })
    : ownImages('titan-images', { url: imageUrl, maxImages: 5 })

/** Anthropic's models at Amazon, and others that it serves in OpenAI's words or its own. */
export const bedrock = defineProvider({
  type: 33,
  id: 'bedrock',
  traceName: 'aws.bedrock',
  name: { en: 'AWS Bedrock (Claude)', zh: 'AWS Bedrock Claude' },
  baseUrl: 'https://bedrock-runtime.{region}.amazonaws.com',
  auth: () => ({}),
  authorize: authorizeBedrock,
  billsAbandoned: 'all',
  key: {
    hint: {
      en: 'AccessKeyID|SecretAccessKey|region or APIKey|region; separate several keys with commas',
      zh: 'AccessKeyID|SecretAccessKey|区域，或 APIKey|区域；多个密钥以英文逗号分隔',
    },
    several: true,
    isKey: (key) => regionOf({ key }) !== '',
  },
  modes: {
    chat,
    images,
    'image-edits': images,
  },
  batches: (target) => bedrockBatches(target, idOf),
  fields: [vendorBatchesField, ...bedrockBatchFields],
  models: [
    ...bedrockModels,
    'openai.gpt-oss-120b-1:0',
    'openai.gpt-oss-20b-1:0',
    'amazon.nova-pro-v1:0',
    'amazon.nova-lite-v1:0',
    'amazon.nova-micro-v1:0',
    'amazon.nova-canvas-v1:0',
    'stability.stable-image-core-v1:1',
    'stability.stable-image-ultra-v1:1',
  ],
})

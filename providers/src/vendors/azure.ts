import type { JsonObject } from '@tollgate/dialects'

import { header, organization } from '../auth'
import { openAiBatches } from '../batches/openai-batches'
import { vendorBatchesField } from '../batches/vendor-batches'
import { baseUrlField, keyFormat, organizationField, settingSwitch } from '../fields'
import { modelListAt } from '../model-list'
import {
  openAiAudio,
  openAiChat,
  openAiCompletions,
  openAiEmbeddings,
  openAiImageEdits,
  openAiImages,
  openAiResponses,
} from '../modes'
import { defineProvider, type ShapedBody, type Target } from '../provider'
import { isBeta, openAiRealtime, socketAddress } from '../realtime'
import { shapeReasoning, shapeResponses, splitEffort } from '../reasoning'
import { needsResponses } from '../responses-only'
import { isCloudflareGateway, parameterOf, queryOf, taskOf } from '../urls'
import { type Change, composeShape, shapedWith, withMember } from '../shape'
import { openAiModels } from './openai-models'

const defaultVersion = '2025-04-01-preview'

/** A version asked for by the client wins over the channel's. */
const versionOf = (target: Pick<Target, 'path' | 'other'>): string =>
  parameterOf(target.path, 'api-version') || target.other || defaultVersion

/** The address without versions, at which the deployment is the body's model: https://learn.microsoft.com/azure/foundry/openai/api-version-lifecycle */
const undated = /\/openai\/v1$/
const isUndated = ({ baseUrl }: Pick<Target, 'baseUrl'>): boolean => undated.test(baseUrl)

/** https://learn.microsoft.com/azure/ai-services/openai/reference; Cloudflare's gateway adds the deployments' path itself. */
function url(target: Target): string {
  if (isUndated(target)) return `${target.baseUrl}/${taskOf(target.mode)}${queryOf(target.path, 'api-version')}`
  const deployments = isCloudflareGateway(target.baseUrl) ? '' : '/openai/deployments'
  const others = queryOf(target.path, 'api-version').replace('?', '&')
  const version = encodeURIComponent(versionOf(target))
  return `${target.baseUrl}${deployments}/${deploymentOf(target)}/${taskOf(target.mode)}?api-version=${version}${others}`
}

const withoutDots = settingSwitch('deployment_without_dots', {
  label: { en: 'Deployment names have no dots', zh: '部署名称不含点号' },
  hint: { en: 'gpt-3.5-turbo calls the deployment gpt-35-turbo', zh: 'gpt-3.5-turbo 将调用部署 gpt-35-turbo' },
})

const deploymentOf = (target: Target): string => encodeURIComponent(deploymentName(target))

function deploymentName(target: Target): string {
  const name = splitEffort(target.model).model
  return withoutDots.isOn(target) ? name.replaceAll('.', '') : name
}

/** One address for all deployments, the deployment in the body: https://learn.microsoft.com/azure/ai-foundry/openai/how-to/responses */
function responsesUrl(target: Target): string {
  if (isUndated(target)) return `${target.baseUrl}/responses${queryOf(target.path, 'api-version')}`
  const isOlder = /^https:\/\/[^/]+\.cognitiveservices\./.test(target.baseUrl)
  const version = encodeURIComponent(target.other || defaultVersion)
  const address = isOlder ? `/openai/responses?api-version=${version}` : '/openai/v1/responses?api-version=preview'
  return `${target.baseUrl}${address}${queryOf(target.path, 'api-version').replace('?', '&')}`
}

/** The beta has an address of its own. https://learn.microsoft.com/azure/ai-foundry/openai/how-to/realtime-audio-websockets */
function realtimeUrl(target: Target): string {
  const [base, deployment] = [socketAddress(target.baseUrl.replace(undated, '')), deploymentOf(target)]
  return isBeta(target)
    ? `${base}/openai/realtime?api-version=${encodeURIComponent(versionOf(target))}&deployment=${deployment}`
    : `${base}/openai/v1/realtime?model=${deployment}`
}

function shapeDeployment(body: JsonObject, target: Target): ShapedBody {
  const { body: shaped, ...rest } = shapeResponses(body, target)
  return { ...rest, body: withMember(shaped, 'model', deploymentName(target)) }
}

const setDeploymentModel: Change = (body, target) =>
  isUndated(target) ? withMember(body, 'model', deploymentName(target)) : body

const chat = openAiChat({ url, headers: organization, shape: shapedWith(shapeReasoning, setDeploymentModel) })
const responses = openAiResponses({ url: responsesUrl, headers: organization, shape: shapeDeployment })

const others = { url, headers: organization, shape: composeShape(setDeploymentModel) } as const

/** Deployments for batches serve nothing else. https://learn.microsoft.com/azure/foundry/openai/how-to/batch */
const batches = openAiBatches(({ baseUrl }) => baseUrl)

/** OpenAI's models in deployments of the operator's own. */
export const azure = defineProvider({
  type: 3,
  id: 'azure',
  traceName: 'azure.ai.openai',
  name: { en: 'Azure OpenAI', zh: 'Azure OpenAI' },
  baseUrl: null,
  auth: header('api-key'),
  billsAbandoned: 'whole',
  key: keyFormat('0123456789abcdef…'),
  modes: {
    chat: (target) => (needsResponses(target) ? responses : chat),
    completions: openAiCompletions(others),
    embeddings: openAiEmbeddings(others),
    ...openAiAudio(others),
    images: openAiImages(others),
    'image-edits': openAiImageEdits(others),
    'image-variations': openAiImageEdits(others),
    realtime: openAiRealtime({ url: realtimeUrl }),
  },
  responses,
  batches: (target) => (isUndated(target) ? batches : undefined),
  fields: [
    baseUrlField('https://my-resource.openai.azure.com', { label: { en: 'Endpoint', zh: 'Azure 终结点' } }),
    {
      name: 'other',
      kind: 'text',
      label: { en: 'API version', zh: '默认 API 版本' },
      hint: { en: 'A version in the query of a call wins', zh: '调用的查询参数中带有版本时以其为准' },
      placeholder: defaultVersion,
      default: defaultVersion,
    },
    organizationField,
    withoutDots.field,
    vendorBatchesField,
  ],
  models: openAiModels,
  modelList: modelListAt(
    ({ baseUrl, other }) =>
      isUndated({ baseUrl })
        ? `${baseUrl}/models`
        : `${baseUrl}/openai/models?api-version=${encodeURIComponent(other || defaultVersion)}`,
    header('api-key'),
  ),
})

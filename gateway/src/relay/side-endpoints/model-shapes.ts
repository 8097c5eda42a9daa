import type { ListedModel } from './listed-model'

/**
 * A model for OpenAI's clients, with the members in which those of OpenRouter look for windows and prices.
 * https://openrouter.ai/docs/api-reference/list-available-models
 */
export function openAiModel(model: ListedModel): object {
  const { id, owner, createdAt, retiresOn, contextTokens, outputTokens, input, output } = model
  return {
    id,
    object: 'model',
    created: createdAt,
    owned_by: owner,
    name: id,
    canonical_slug: id,
    description: '',
    context_length: contextTokens,
    max_output_tokens: outputTokens,
    architecture: {
      modality: `${input.map(openRouterModality).join('+')}->${output.join('+')}`,
      input_modalities: input.map(openRouterModality),
      output_modalities: output,
      tokenizer: 'Other',
      instruct_type: null,
    },
    pricing: pricingOf(model),
    top_provider: { context_length: contextTokens, max_completion_tokens: outputTokens, is_moderated: false },
    per_request_limits: null,
    supported_parameters: parametersOf(model),
    default_parameters: null,
    supported_voices: null,
    expiration_date: retiresOn,
    links: { details: `/api/v1/models/${id}` },
  }
}

const openRouterModality = (modality: string): string => (modality === 'pdf' ? 'file' : modality)

function parametersOf({ kind, abilities }: ListedModel): readonly string[] {
  if (kind !== null && kind !== 'chat') return []
  return [
    'max_tokens',
    'temperature',
    'top_p',
    'stop',
    ...(abilities.includes('tools') ? ['tools', 'tool_choice'] : []),
    ...(abilities.includes('reasoning') ? ['reasoning', 'include_reasoning'] : []),
    ...(abilities.includes('structured-output') ? ['response_format', 'structured_outputs'] : []),
  ]
}

/** OpenRouter's mark of a price that is not known beforehand; its clients expect an object. */
const unknownPricing = { prompt: '-1', completion: '-1' }

/** Prices as texts: US dollars for one token, one call or one image. */
function pricingOf({ prices }: ListedModel): Record<string, string> {
  if (prices === null) return unknownPricing
  const ofToken = (price: number | undefined) => (price === undefined ? undefined : dollars(price / 1e6))
  const pricing = {
    prompt: ofToken(prices.input ?? 0),
    completion: ofToken(prices.output ?? 0),
    request: dollars(prices.per_call ?? 0),
    image: dollars(prices.per_image ?? 0),
    input_cache_read: ofToken(prices.cache_read),
    input_cache_write: ofToken(prices.cache_write_5m),
    internal_reasoning: ofToken(prices.reasoning),
  }
  return Object.fromEntries(
    Object.entries(pricing).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}

const written = new Intl.NumberFormat('en-US', { useGrouping: false, maximumSignificantDigits: 12 })
const dollars = (amount: number): string => written.format(amount)

/** https://docs.claude.com/en/api/models-list */
export const anthropicModel = ({ id, createdAt, contextTokens, outputTokens, retiresOn }: ListedModel) => ({
  type: 'model',
  id,
  display_name: id,
  created_at: new Date(createdAt * 1000).toISOString(),
  max_input_tokens: contextTokens,
  max_tokens: outputTokens,
  capabilities: null,
  line: null,
  lifecycle: 'active',
  deprecated_at: null,
  retires_at: retiresOn === null ? null : new Date(retiresOn).toISOString(),
})

/** https://ai.google.dev/api/models */
export const geminiModel = ({ id, kind, inputTokens, outputTokens }: ListedModel) => ({
  name: `models/${id}`,
  displayName: id,
  ...(inputTokens !== null && { inputTokenLimit: inputTokens }),
  ...(outputTokens !== null && { outputTokenLimit: outputTokens }),
  supportedGenerationMethods: kind === 'embedding' ? embedding : generating,
})

const embedding = ['embedContent', 'batchEmbedContents']
const generating = ['generateContent', 'streamGenerateContent', 'countTokens']

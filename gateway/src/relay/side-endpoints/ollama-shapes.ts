import { DialectError } from '@tollgate/dialects'

import { sha256 } from '../../platform/store/seal'
import type { ListedModel } from './listed-model'

/** `GET /api/version`: the release of Ollama whose API is spoken here. Clients refuse servers that are too old for them. */
export const ollamaVersion = { version: '0.13.0' }

/** `GET /api/ps`: no model is held in memory here. */
export const loadedModels = { models: [] }

/** How the answers end that say that a model was loaded, or removed from memory. */
export const ollamaLoad = { done: true, done_reason: 'load' }
export const ollamaUnload = { done: true, done_reason: 'unload' }

/** Nothing is known of files: the model may run anywhere. */
const detailsOf = ({ owner }: ListedModel) => ({
  parent_model: '',
  format: '',
  family: owner,
  families: [owner],
  parameter_size: '',
  quantization_level: '',
})

const changedAt = ({ createdAt }: ListedModel): string => new Date(createdAt * 1000).toISOString()

/** A model in `GET /api/tags`. The digest is of the name, as clients show its beginning. https://docs.ollama.com/api/tags */
export const ollamaModel = (model: ListedModel) => ({
  name: model.id,
  model: model.id,
  modified_at: changedAt(model),
  size: 0,
  digest: sha256(model.id),
  details: detailsOf(model),
})

/** The answer of `POST /api/show`. https://docs.ollama.com/api/show */
export const ollamaDescription = (model: ListedModel) => ({
  license: '',
  modelfile: '',
  parameters: '',
  template: '',
  details: detailsOf(model),
  model_info: {
    'general.architecture': model.owner,
    'general.basename': model.id,
    ...(model.contextTokens !== null && { [`${model.owner}.context_length`]: model.contextTokens }),
  },
  capabilities: capabilitiesOf(model),
  modified_at: changedAt(model),
})

function capabilitiesOf({ kind, input, abilities }: ListedModel): readonly string[] {
  if (kind === 'embedding') return ['embedding']
  if (kind !== null && kind !== 'chat') return []
  return [
    'completion',
    ...(abilities.includes('tools') ? ['tools'] : []),
    ...(input.includes('image') ? ['vision'] : []),
    ...(abilities.includes('reasoning') ? ['thinking'] : []),
  ]
}

/** Returns the model that an Ollama client names; older ones say `name`. @throws DialectError */
export function requireModel(body: Readonly<Record<string, unknown>>): string {
  const named = body['model'] ?? body['name']
  if (typeof named === 'string' && named !== '') return named
  throw new DialectError('model', 'missing_required_parameter', "Missing required parameter: 'model'.")
}

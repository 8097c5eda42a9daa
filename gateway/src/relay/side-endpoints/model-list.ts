import { AppError } from '../../app-error'
import type { Catalog } from '../../catalog/catalog'
import { tiersOf } from '../../routing/tiers'
import type { Caller, IncomingCall } from '../call'

/** A model in OpenAI's shape. */
interface ListedModel {
  readonly id: string
  readonly object: 'model'
  /** Unix seconds; the same for all: vendors do not report it. */
  readonly created: number
  readonly owned_by: string
}

const created = 1_626_777_600

/** `GET /v1/models`: the models that the key may call, in the shape that the caller's SDK knows. */
export function modelList(caller: Caller, { catalog, dialect }: IncomingCall): object {
  const ids = callableModels(caller, catalog)
  if (dialect === 'anthropic-messages')
    return { data: ids.map(anthropicModel), first_id: ids[0] ?? null, last_id: ids.at(-1) ?? null, has_more: false }
  if (dialect === 'gemini') return { models: ids.map(geminiModel) }
  return { success: true, object: 'list', data: ids.map((id) => listed(id, caller, catalog)) }
}

/**
 * `GET /v1/models/{id}`.
 * @throws AppError `model.unknown`.
 */
export function oneModel(id: string, caller: Caller, { catalog, dialect }: IncomingCall): object {
  const isAllowed = caller.key?.models?.has(id) ?? true
  if (!isAllowed || tiersOf(catalog, caller.group, id).length === 0) {
    throw new AppError('model.unknown', { params: { model: id, group: caller.group } })
  }
  if (dialect === 'anthropic-messages') return anthropicModel(id)
  return dialect === 'gemini' ? geminiModel(id) : listed(id, caller, catalog)
}

const anthropicModel = (id: string) => ({
  type: 'model',
  id,
  display_name: id,
  created_at: new Date(created * 1000).toISOString(),
})

const geminiModel = (id: string) => ({
  name: `models/${id}`,
  displayName: id,
  supportedGenerationMethods: ['generateContent', 'streamGenerateContent', 'countTokens'],
})

/** Returns the models of the group, or those of the key's limit that exist, by name. */
function callableModels({ key, group }: Caller, catalog: Catalog): string[] {
  const routes = catalog.routes.get(group)
  if (!routes) return []
  const names = key?.models ? [...key.models].filter((model) => routes.has(model)) : [...routes.keys()]
  return names.sort()
}

function listed(id: string, { group }: Caller, catalog: Catalog): ListedModel {
  const channel = tiersOf(catalog, group, id)[0]?.candidates[0]?.channel
  return { id, object: 'model', created, owned_by: channel?.provider.id ?? 'custom' }
}

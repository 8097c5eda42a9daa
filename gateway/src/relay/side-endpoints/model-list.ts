import type { ModelKind } from '@tollgate/models'

import { AppError } from '../../platform/app-error'
import type { Catalog } from '../../channels/catalog/catalog'
import { aliasedModels, aliasesIn } from '../../channels/routing/aliases'
import { servedName, priorityLevelsOf } from '../../channels/routing/priority-levels'
import type { Caller, IncomingCall } from '../call'
import { listedModel } from './listed-model'
import { anthropicModel, geminiModel, openAiModel } from './model-shapes'
import { ollamaModel } from './ollama-shapes'

/** `GET /v1/models`: the models that the key may call, those of one kind where it is given, in the shape that the caller's SDK knows. */
export function modelList(caller: Caller, { catalog, dialect }: IncomingCall, kind?: ModelKind): object {
  const listed = callableModels(caller, catalog).map((id) => listedModel(id, caller, catalog))
  const all = kind === undefined ? listed : listed.filter((model) => model.kind === kind)
  const ids = all.map(({ id }) => id)
  if (dialect === 'anthropic-messages')
    return { data: all.map(anthropicModel), first_id: ids[0] ?? null, last_id: ids.at(-1) ?? null, has_more: false }
  if (dialect === 'gemini') return { models: all.map(geminiModel) }
  if (dialect === 'ollama-chat') return { models: all.map(ollamaModel) }
  // OpenRouter's clients expect the number, and links to further pages, of which there are none.
  return { success: true, object: 'list', data: all.map(openAiModel), total_count: all.length, links: { next: null } }
}

/**
 * `GET /v1/models/{id}`.
 * @throws AppError `model.unknown`.
 */
export function oneModel(id: string, caller: Caller, call: IncomingCall): object {
  const { catalog, dialect } = call
  const model = listedModel(callableModel(id, caller, call), caller, catalog)
  if (dialect === 'anthropic-messages') return anthropicModel(model)
  return dialect === 'gemini' ? geminiModel(model) : openAiModel(model)
}

/** Returns the name by which the caller may call a model. @throws AppError `model.unknown`. */
export function callableModel(named: string, caller: Caller, { catalog }: IncomingCall): string {
  const id = servedName(named, caller.group, catalog)
  const isAllowed = caller.key?.models?.has(id) ?? true
  if (isAllowed && isCallable(catalog, caller.group, id)) return id
  throw new AppError('model.unknown', { params: { model: named, group: caller.group } })
}

/** Returns the models and aliases of the group, or those of the key's limit that exist, by name. */
export function callableModels({ key, group }: Caller, catalog: Catalog): string[] {
  const routes = catalog.routes.get(group)
  if (!routes) return []
  const aliases = aliasesIn(catalog, group)
  const names = key?.models
    ? [...key.models].filter((model) => routes.has(model) || aliases.includes(model))
    : [...new Set([...routes.keys(), ...aliases])]
  return names.sort()
}

const isCallable = (catalog: Catalog, group: string, id: string): boolean =>
  priorityLevelsOf(catalog, group, id).length > 0 || aliasedModels(catalog, group, id).length > 0

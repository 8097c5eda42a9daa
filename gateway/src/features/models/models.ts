import { modelRoutes } from '@tollgate/contract'
import { modelOf } from '@tollgate/models'
import { providers } from '@tollgate/providers'

import { usableGroups } from '../../accounts/callers/usable-groups'
import type { Catalog } from '../../catalog/catalog'
import { dayOf, suggestedModels } from '../../catalog/suggested-models'
import { handler, type Handler } from '../../http/handler'

/** Returns the models, as a caller names them, that are served in any of the groups a user may use. */
function modelsOf(catalog: Catalog, ownGroup: string): string[] {
  const models = new Set<string>()
  for (const group of usableGroups(catalog.options, ownGroup, 'en').keys()) {
    for (const model of catalog.routes.get(group)?.keys() ?? []) models.add(model)
  }
  return [...models].sort()
}

/** Returns whether a model may support conversations. An unknown one may. */
const mayChat = (model: string): boolean => (modelOf(model)?.kind ?? 'chat') === 'chat'

/** Returns whether a model may make images. An unknown one may. */
function mayDraw(model: string): boolean {
  const known = modelOf(model)
  return !known || known.kind === 'image' || (known.kind === 'chat' && known.output.includes('image'))
}

export const modelHandlers: readonly Handler[] = [
  handler(modelRoutes.ownModels, ({ query }, { ctx, caller }) => {
    const models = modelsOf(ctx.catalog.current, caller.group)
    if (query.chat) return Promise.resolve(models.filter(mayChat))
    return Promise.resolve(query.images ? models.filter(mayDraw) : models)
  }),
  handler(modelRoutes.defaultModels, (_input, { ctx }) => {
    const today = dayOf(ctx.clock)
    return Promise.resolve(
      Object.fromEntries(providers.map((provider) => [String(provider.type), suggestedModels(provider, today).names])),
    )
  }),
]

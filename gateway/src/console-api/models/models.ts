import { modelRoutes } from '@tollgate/contract'
import { modelOf } from '@tollgate/models'
import { providers } from '@tollgate/providers'

import { usableGroups } from '../../accounts/callers/usable-groups'
import type { Catalog } from '../../channels/catalog/catalog'
import { dayOf, suggestedModels } from '../../channels/catalog/suggested-models'
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

/** Names of actions rather than models, which channels list. */
const songNames = ['suno_music']
const isAction = (model: string): boolean => /^(?:mj_|suno_|swap_face$)/.test(model)

/** Whether a model may make this. An unknown one may make images and videos. */
const mayMake = {
  images(model: string): boolean {
    const known = modelOf(model)
    if (!known) return !isAction(model)
    return known.kind === 'image' || (known.kind === 'chat' && known.output.includes('image'))
  },
  videos: (model: string): boolean => !isAction(model) && (modelOf(model)?.kind ?? 'video') === 'video',
  songs: (model: string): boolean => songNames.includes(model),
} as const

export const modelHandlers: readonly Handler[] = [
  handler(modelRoutes.ownModels, ({ query }, { ctx, caller }) => {
    const models = modelsOf(ctx.catalog.current, caller.group)
    if (query.chat) return Promise.resolve(models.filter(mayChat))
    return Promise.resolve(query.makes ? models.filter(mayMake[query.makes]) : models)
  }),
  handler(modelRoutes.defaultModels, (_input, { ctx }) => {
    const today = dayOf(ctx.clock)
    return Promise.resolve(
      Object.fromEntries(providers.map((provider) => [String(provider.type), suggestedModels(provider, today).names])),
    )
  }),
]

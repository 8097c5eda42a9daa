import { modelRoutes } from '@tollgate/contract'
import { modelOf } from '@tollgate/models'
import { providers } from '@tollgate/providers'

import { usableGroups } from '../../accounts/callers/usable-groups'
import { aliasedModels, aliasesIn } from '../../channels/routing/aliases'
import type { Catalog } from '../../channels/catalog/catalog'
import { dayOf, suggestedModels } from '../../channels/catalog/suggested-models'
import { handler, type Handler } from '../../http/handler'

/** Whether a model is of a kind. */
type IsOfKind = (model: string) => boolean

/**
 * Returns the models of a kind, and the aliases that lead to one, as a caller names them, that are served in any of the groups a user may
 * use.
 */
function modelsOf(catalog: Catalog, ownGroup: string, isOfKind: IsOfKind = () => true): string[] {
  const models = new Set<string>()
  for (const group of usableGroups(catalog.options, ownGroup, 'en').keys()) {
    for (const model of catalog.routes.get(group)?.keys() ?? []) if (isOfKind(model)) models.add(model)
    for (const alias of aliasesIn(catalog, group))
      if (aliasedModels(catalog, group, alias).some(isOfKind)) models.add(alias)
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
    const isOfKind = query.chat ? mayChat : query.makes && mayMake[query.makes]
    return Promise.resolve(modelsOf(ctx.catalog.current, caller.group, isOfKind))
  }),
  handler(modelRoutes.defaultModels, (_input, { ctx }) => {
    const today = dayOf(ctx.clock)
    return Promise.resolve(
      Object.fromEntries(providers.map((provider) => [String(provider.type), suggestedModels(provider, today).names])),
    )
  }),
]

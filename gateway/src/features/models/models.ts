import { modelRoutes } from '@tollgate/contract'
import { providers } from '@tollgate/providers'

import { usableGroups } from '../../accounts/usable-groups'
import type { Catalog } from '../../catalog/catalog'
import { handler, type Handler } from '../../http/handler'

/** Models, as a caller names them, that are served in any of the groups a user may use. */
function modelsOf(catalog: Catalog, ownGroup: string): string[] {
  const models = new Set<string>()
  for (const group of usableGroups(catalog.options, ownGroup, 'en').keys()) {
    for (const model of catalog.routes.get(group)?.keys() ?? []) models.add(model)
  }
  return [...models].sort()
}

const suggestedModels = Object.fromEntries(providers.map(({ type, models }) => [String(type), [...models]]))

export const modelHandlers: readonly Handler[] = [
  handler(modelRoutes.ownModels, (_input, { ctx, caller }) =>
    Promise.resolve(modelsOf(ctx.catalog.current, caller.group)),
  ),
  handler(modelRoutes.defaultModels, () => Promise.resolve(suggestedModels)),
]

import { modelRoutes, type tokenRoutes } from '@tollgate/contract'

import { useRead } from '../../lib/api/query'
import { modelsOf } from './token-lists'

/** The specification's default model. */
const favourite = 'gpt-4o-mini'

/** Returns the models that a token may use, the default first. */
export function useTokenModels(token: tokenRoutes.TokenEntity): readonly string[] {
  const { data = [] } = useRead(modelRoutes.ownModels)
  const usable = token.model_limits_enabled ? modelsOf(token.model_limits) : data
  return usable.includes(favourite) ? [favourite, ...usable.filter((model) => model !== favourite)] : usable
}

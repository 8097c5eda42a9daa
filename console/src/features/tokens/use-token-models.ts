import { modelRoutes, type tokenRoutes } from '@tollgate/contract'

import { useRead } from '../../lib/query'
import { modelsOf } from './token-lists'

/** The specification's model to start with. */
const favourite = 'gpt-4o-mini'

/** The models a token may be used with, the one to start with first. */
export function useTokenModels(token: tokenRoutes.TokenEntity): readonly string[] {
  const { data = [] } = useRead(modelRoutes.ownModels)
  const usable = token.model_limits_enabled ? modelsOf(token.model_limits) : data
  return usable.includes(favourite) ? [favourite, ...usable.filter((model) => model !== favourite)] : usable
}

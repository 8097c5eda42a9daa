import type { tokenRoutes } from '@tollgate/contract'

import type { UnusualAmount } from '../../components/dialogs/use-second-look'
import { useUnusualQuota } from '../../components/fields/use-unusual-quota'
import { useTranslation } from '../../lib/text/i18n'
import { isUnusual } from '../../lib/text/unusual'
import { useFormat } from '../../lib/text/use-format'
import { newTokenValues, type TokenValues } from './token-values'

/** Returns a function that finds the limits of a token that are far above the usual: the quota, and how many calls it may make. */
export function useUnusualLimits(token: tokenRoutes.TokenEntity | undefined) {
  const { t } = useTranslation('tokens')
  const { number } = useFormat()
  const unusualQuota = useUnusualQuota()
  const usualCalls = Number(newTokenValues.rateCount)
  const calls = (name: string, typed: number | string, before = 0): readonly UnusualAmount[] =>
    isUnusual(Number(typed), before, usualCalls) ? [{ name, amount: number(Number(typed)) }] : []
  return ({ isUnlimited, quota, isRateLimited, rateCount, rateSuccess }: TokenValues): readonly UnusualAmount[] => [
    ...(isUnlimited ? [] : unusualQuota(t('field.quota'), Number(quota), token?.remain_quota)),
    ...(isRateLimited
      ? [
          ...calls(t('field.rateCount'), rateCount, token?.rate_limit_count),
          ...calls(t('field.rateSuccess'), rateSuccess, token?.rate_limit_success),
        ]
      : []),
  ]
}

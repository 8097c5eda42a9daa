import { logType } from '@tollgate/contract'

import type { Sums } from '../../../components/data-table/types'
import { Money } from '../../../domain/money'
import { useTranslation } from '../../../lib/text/i18n'
import { useFormat } from '../../../lib/text/use-format'
import type { LogRow } from '../log-row'

/** Returns the sums of the charged calls of a page; undefined for a single one. */
export function usePageSums(rows: readonly LogRow[]): Sums | undefined {
  const { t } = useTranslation('logs')
  const { number } = useFormat()
  const charged = rows.filter(({ type }) => type === logType.consumption)
  if (charged.length < 2) return undefined
  const sum = (key: 'prompt_tokens' | 'completion_tokens' | 'quota') =>
    charged.reduce((total, row) => total + row[key], 0)
  return {
    label: t('pageSums', { count: charged.length }),
    cells: {
      tokens: `${number(sum('prompt_tokens'))} / ${number(sum('completion_tokens'))}`,
      cost: <Money quota={sum('quota')} />,
    },
  }
}

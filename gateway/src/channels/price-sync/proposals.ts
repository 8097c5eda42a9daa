import { priceSyncRoutes } from '@tollgate/contract'
import type { ExpressionBuilder, ExpressionWrapper, SqlBool } from 'kysely'

import { parsedJson } from '../../platform/text/parsed-json'
import { containing } from '../../platform/store/like'
import type { Tables } from '../../platform/store/tables'

/** Selects proposals. */
export interface ProposalFilter {
  readonly state?: priceSyncRoutes.ProposalState | undefined
  /** Part of a model's name. */
  readonly keyword?: string | undefined
  /** `lists`, or `channel:` and its id. */
  readonly source?: string | undefined
}

/** The condition for proposals of a filter. */
export const isMatching =
  ({ state, keyword = '', source = '' }: ProposalFilter) =>
  (eb: ExpressionBuilder<Tables, 'price_proposals'>): ExpressionWrapper<Tables, 'price_proposals', SqlBool> =>
    eb.and([
      ...(state === undefined ? [] : [eb('state', '=', state)]),
      ...(keyword === '' ? [] : [containing(eb.ref('model'), keyword)]),
      ...(source === '' ? [] : [eb('source', '=', source)]),
    ])

/** Parses a value of a row; null for none, and for one that a later release wrote. */
export const storedValue = (text: string): priceSyncRoutes.ProposedValue | null =>
  priceSyncRoutes.ProposedValue.safeParse(parsedJson(text)).data ?? null

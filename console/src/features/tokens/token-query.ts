import type { ListPart } from '../../components/data-table/use-list'
import type { TokenSearch } from './token-search'

/** Returns the query for a page of the reader's tokens. The calls count pages from 0. */
export const tokensQuery = <Sort extends string>(
  { status, group, near }: TokenSearch,
  { page, size, sort, descending }: ListPart<Sort>,
) => ({ p: page - 1, size, status, group, near_limit: near, sort, descending })

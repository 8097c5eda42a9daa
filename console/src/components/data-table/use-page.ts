import { defaultPageSize, pageSizes } from '@tollgate/contract'
import * as z from 'zod'

import { stored, useStored } from '../../lib/storage'

const storedSize = stored(
  'page-size',
  z.coerce.number().refine((size) => pageSizes.some((known) => known === size)),
  defaultPageSize,
)

interface PageInAddress {
  readonly page?: number
  readonly size?: number
}

/** Page and size from the address, the size else as this browser remembers it; and how to change both. */
export function usePage(search: PageInAddress, setSearch: (change: PageInAddress) => void) {
  const [rememberedSize, rememberSize] = useStored(storedSize)
  return {
    page: search.page ?? 1,
    size: search.size ?? rememberedSize,
    onChange: (page: number, size: number) => {
      rememberSize(size)
      setSearch({ page: page === 1 ? undefined : page, size: size === rememberedSize ? search.size : size })
    },
  }
}

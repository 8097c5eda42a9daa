import { useMemo } from 'react'

import { focusRow, usePeekSteps } from './use-peek-steps'

/** Connects the table of a list with the panel of its open row. `open` must be a stable function. */
export function usePeek<Id extends number | string = number>(
  openId: Id | undefined,
  rows: readonly { readonly id: Id }[] | undefined,
  open: (id: Id | undefined) => void,
) {
  const ids = useMemo(() => rows?.map(({ id }) => id), [rows])
  const steps = usePeekSteps(openId, ids, open)
  return {
    table: {
      openKey: openId === undefined ? undefined : String(openId),
      onOpen: ({ id }: { readonly id: Id }) => open(id === openId ? undefined : id),
    },
    panel: {
      ...steps,
      onClose: () => {
        if (openId !== undefined) focusRow(openId)
        open(undefined)
      },
    },
  }
}

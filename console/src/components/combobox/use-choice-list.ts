import { useCombobox } from '@mantine/core'
import { useEffect, useState } from 'react'

import type { Choice } from './choice'

/**
 * The list of a combobox. While text is typed, the first match is highlighted, so that Enter takes it. The highlighted option is
 * announced however it was reached; the kit announces only what arrow keys reached, even after typing has moved on.
 */
export function useChoiceList(typed: string, offered: readonly Choice[]) {
  const [highlightedId, setHighlightedId] = useState<string | null>(null)
  const list = useCombobox({
    onDropdownClose: () => {
      list.resetSelectedOption()
      setHighlightedId(null)
    },
  })
  const { selectFirstOption, resetSelectedOption } = list
  const values = offered.map(({ value }) => value).join('\n')
  useEffect(() => {
    const hasFirst = typed !== '' && values !== ''
    if (!hasFirst) resetSelectedOption()
    setHighlightedId(hasFirst ? selectFirstOption() : null)
  }, [typed, values, selectFirstOption, resetSelectedOption])
  const announced = (select: () => string | null) => () => {
    const id = select()
    setHighlightedId(id)
    return id
  }
  return {
    combobox: {
      ...list,
      selectActiveOption: announced(list.selectActiveOption),
      selectNextOption: announced(list.selectNextOption),
      selectPreviousOption: announced(list.selectPreviousOption),
    },
    targetProps: {
      withExpandedAttribute: true,
      autoComplete: 'off',
      // Empty for none: the kit takes its own where it is given no value.
      'aria-activedescendant': highlightedId ?? '',
    },
  }
}

import type { MantineSize } from '@mantine/core'
import { lazy, Suspense, useId, useState, type KeyboardEvent, type ReactNode, type RefObject } from 'react'

import { shownChoices, type Choice } from './choice'
import type { ServerSearch } from './use-server-search'

const loadList = () => import('./choice-list')
const ChoiceList = lazy(async () => ({ default: (await loadList()).ChoiceList }))

interface ChoiceListOptions {
  /** The element that the list is placed below. */
  readonly anchor: RefObject<HTMLElement | null>
  readonly label: ReactNode
  /** Choices that match the typed text. */
  readonly choices: readonly Choice[]
  readonly isChosen: (value: string) => boolean
  readonly typed: string
  readonly onChoose: (value: string) => void
  readonly onOpen?: () => void
  readonly search?: ServerSearch
  readonly size?: MantineSize | (string & {})
  /** Renders the list inside the parent popover, which closes on outside clicks. */
  readonly isInPlace?: boolean
}

/**
 * The list of a searchable field: its keyboard handling, its ARIA attributes, and the list itself, whose code loads when the pointer or the
 * focus first comes near.
 */
export function useChoiceList(options: ChoiceListOptions) {
  const { anchor, label, choices, isChosen, typed, onChoose, onOpen, search, size, isInPlace } = options
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const [walkedTo, setWalkedTo] = useState<string | undefined>()
  const { shown, more } = shownChoices(choices)
  const at = shown.findIndex(({ value }) => value === walkedTo)
  // Enter takes the first result.
  const marked = at >= 0 ? at : typed && shown.length > 0 ? 0 : -1

  const open = () => {
    setOpen(true)
    setWalkedTo(undefined)
    onOpen?.()
  }
  const close = () => setOpen(false)
  const walk = (step: 1 | -1) => {
    const from = marked < 0 && step < 0 ? 0 : marked
    setWalkedTo(shown.at((from + step) % shown.length)?.value)
  }
  const openWalking = () => {
    open()
    setWalkedTo((shown.find(({ value }) => isChosen(value)) ?? shown[0])?.value)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const choice = shown[marked]
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      if (isOpen) walk(event.key === 'ArrowDown' ? 1 : -1)
      else openWalking()
    } else if (event.key === 'Enter' && isOpen && choice) {
      event.preventDefault()
      onChoose(choice.value)
    } else if (event.key === 'Escape') close()
  }

  return {
    open,
    close,
    onKeyDown,
    /** Preloads the code of the list. */
    onNear: () => void loadList().catch(() => {}),
    field: {
      role: 'combobox',
      'aria-haspopup': 'listbox',
      'aria-expanded': isOpen,
      'aria-controls': isOpen ? id : undefined,
      'aria-activedescendant': isOpen && marked >= 0 ? `${id}-${marked}` : undefined,
      autoComplete: 'off',
      'data-expanded': isOpen || undefined,
      // Escape closes the list, not the dialog around it.
      'data-mantine-stop-propagation': isOpen || undefined,
    },
    list: isOpen && (
      <Suspense>
        <ChoiceList
          id={id}
          anchor={anchor}
          label={typeof label === 'string' ? label : undefined}
          choices={shown}
          more={more}
          marked={marked}
          {...{ isChosen, typed, onChoose, search, size, isInPlace }}
          onClose={close}
        />
      </Suspense>
    ),
  } as const
}

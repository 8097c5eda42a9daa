import { ActionIcon } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import { lazy, Suspense, useRef, useState, type MouseEvent, type ReactElement, type ReactNode } from 'react'

import type { Question } from './dialogs/confirm-dialog'
import { Tip } from './tip'

const OpenMenu = lazy(async () => ({ default: (await import('./open-menu')).OpenMenu }))
const ConfirmDialog = lazy(async () => ({ default: (await import('./dialogs/confirm-dialog')).ConfirmDialog }))

export interface MenuItem {
  readonly id: string
  readonly label: string
  readonly icon?: Icon
  /** Language of the label, for names of languages. */
  readonly lang?: string
  readonly isChosen?: boolean
  readonly isDangerous?: boolean
  readonly isDisabled?: boolean
  /** A line above it. */
  readonly startsGroup?: boolean
  /** The confirmation to ask for first. */
  readonly confirmation?: Question
  /** Called with the reason, where one was required. */
  readonly onClick: (reason?: string) => void
}

/** Props for the button that opens a menu. */
interface MenuTriggerProps {
  readonly 'aria-haspopup': 'menu'
  readonly 'aria-expanded': boolean
  readonly onClick: (event: MouseEvent<HTMLElement>) => void
  readonly ref: (button: HTMLButtonElement | null) => void
}

interface MenuButtonProps {
  readonly label: string
  readonly icon?: Icon
  readonly items: readonly MenuItem[]
  /** Text above the items. */
  readonly heading?: ReactNode
  readonly isDisabled?: boolean
  /** Has a border, beside buttons that have one. */
  readonly hasFrame?: boolean
  /** Pressed before its code had loaded. */
  readonly isOpenAtFirst?: boolean
  /** Renders the button; default: the icon alone. */
  readonly trigger?: (props: MenuTriggerProps) => ReactElement
}

/** A button that opens a menu. The code of menus and confirmations loads when the first one is opened. */
export function MenuButton({
  label,
  icon: ButtonIcon,
  items,
  heading,
  isDisabled,
  hasFrame,
  isOpenAtFirst,
  trigger,
}: MenuButtonProps) {
  const [anchor, setAnchor] = useState<HTMLElement | undefined>()
  const mustOpen = useRef(isOpenAtFirst)
  const [asking, setAsking] = useState<MenuItem | undefined>()
  const props: MenuTriggerProps = {
    'aria-haspopup': 'menu',
    'aria-expanded': anchor !== undefined,
    ref: (button) => {
      if (!button || !mustOpen.current) return
      mustOpen.current = false
      setAnchor(button)
    },
    onClick: (event) => {
      event.stopPropagation()
      const target = event.currentTarget
      setAnchor((current) => (current ? undefined : target))
    },
  }
  return (
    <>
      {trigger ? (
        trigger(props)
      ) : (
        <Tip label={label} isDisabled={anchor !== undefined}>
          <ActionIcon variant={hasFrame ? 'default' : undefined} aria-label={label} disabled={isDisabled} {...props}>
            {ButtonIcon && <ButtonIcon size={18} />}
          </ActionIcon>
        </Tip>
      )}
      {anchor && (
        <Suspense>
          <OpenMenu
            anchor={anchor}
            label={label}
            items={items.map((item) => (item.confirmation ? { ...item, onClick: () => setAsking(item) } : item))}
            heading={heading}
            onClose={() => setAnchor(undefined)}
          />
        </Suspense>
      )}
      {asking?.confirmation && (
        <Suspense>
          <ConfirmDialog {...asking.confirmation} onConfirm={asking.onClick} onClose={() => setAsking(undefined)} />
        </Suspense>
      )}
    </>
  )
}

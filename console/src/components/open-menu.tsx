import { Menu } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { Fragment, type ReactNode } from 'react'

import type { MenuItem } from './menu-button'

interface OpenMenuProps {
  readonly anchor: HTMLElement
  readonly label: string
  readonly items: readonly MenuItem[]
  readonly heading?: ReactNode
  readonly onClose: () => void
}

/** The open menu of a button. */
export function OpenMenu({ anchor, label, items, heading, onClose }: OpenMenuProps) {
  const close = () => {
    onClose()
    anchor.focus({ preventScroll: true })
  }
  return (
    <Menu
      opened
      onClose={close}
      position="bottom-end"
      returnFocus={false}
      clickOutsideEvents={['mousedown', 'touchstart']}
    >
      <Menu.Target refProp="ref">
        <Anchor element={anchor} />
      </Menu.Target>
      <Menu.Dropdown aria-label={label} onClick={(event) => event.stopPropagation()}>
        {heading && <Menu.Label>{heading}</Menu.Label>}
        {items.map(({ id, label, icon: ItemIcon, lang, isChosen, isDangerous, isDisabled, startsGroup, onClick }) => (
          <Fragment key={id}>
            {startsGroup && <Menu.Divider />}
            <Menu.Item
              lang={lang}
              color={isDangerous ? 'red' : undefined}
              disabled={isDisabled}
              leftSection={ItemIcon && <ItemIcon size={16} />}
              rightSection={isChosen && <IconCheck size={14} />}
              onClick={() => onClick()}
            >
              {label}
            </Menu.Item>
          </Fragment>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

/** An empty box over the button, which is rendered elsewhere, to position the menu. */
function Anchor({
  element,
  ref,
  ...rest
}: {
  readonly element: HTMLElement
  readonly ref?: React.Ref<HTMLSpanElement>
}) {
  const { left, top, width, height } = element.getBoundingClientRect()
  return (
    <span
      {...rest}
      ref={ref}
      aria-hidden
      style={{ position: 'fixed', left, top, width, height, pointerEvents: 'none' }}
    />
  )
}

import type { KeyboardEvent } from 'react'

const dialog = '[role="dialog"]'

/**
 * Props of a dialog that others may open above: Escape closes it only when it was pressed in the dialog itself. The kit
 * listens on the whole window, so that one Escape would close all of them.
 */
export const ownEscape = (close: () => void) => ({
  closeOnEscape: false,
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
    const { key, target, currentTarget, nativeEvent } = event
    if (key !== 'Escape' || nativeEvent.isComposing || !(target instanceof Element)) return
    // An event bubbles here from dialogs above too. An open list keeps its Escape.
    const isOwn = target.closest(dialog) === currentTarget.querySelector(dialog)
    if (isOwn && target.getAttribute('data-mantine-stop-propagation') !== 'true') close()
  },
})

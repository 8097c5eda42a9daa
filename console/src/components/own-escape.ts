import type { KeyboardEvent } from 'react'

const dialog = '[role="dialog"]'

/**
 * Props for a dialog that others may open above: Escape closes it only when pressed inside it. The kit listens on the window, so that one
 * Escape would close all of them.
 */
export const ownEscape = (close: () => void) => ({
  closeOnEscape: false,
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
    const { key, target, currentTarget, nativeEvent } = event
    if (key !== 'Escape' || nativeEvent.isComposing || !(target instanceof Element)) return
    // React events bubble here from dialogs above as well. An open list handles its own Escape.
    const isOwn = target.closest(dialog) === currentTarget.querySelector(dialog)
    if (isOwn && target.getAttribute('data-mantine-stop-propagation') !== 'true') close()
  },
})

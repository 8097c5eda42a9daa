import type { KeyboardEvent } from 'react'

/** Enter sends; Shift and Enter is a new line, and an Enter that ends the input of a character is neither. */
export const isSendKey = ({ key, shiftKey, nativeEvent }: KeyboardEvent): boolean =>
  key === 'Enter' && !shiftKey && !nativeEvent.isComposing

import type { KeyboardEvent } from 'react'

/** Enter sends; Shift+Enter is a line break, and an Enter that commits IME input is neither. */
export const isSendKey = ({ key, shiftKey, nativeEvent }: KeyboardEvent): boolean =>
  key === 'Enter' && !shiftKey && !nativeEvent.isComposing

import { createContext, useContext } from 'react'

import type { Choices } from './use-choices'

export const ChoicesContext = createContext<Choices | null>(null)

export function useKnownChoices(): Choices {
  const choices = useContext(ChoicesContext)
  if (!choices) throw new Error('there are no choices around this component')
  return choices
}

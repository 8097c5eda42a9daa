import { createContext, useContext } from 'react'

/** What is looked at closely: the wire of an answer, or the next call as a program makes it. */
export interface Inspected {
  readonly answerId?: string
}

export const InspectContext = createContext<(inspected: Inspected) => void>(() => {})

export const useInspect = () => useContext(InspectContext)

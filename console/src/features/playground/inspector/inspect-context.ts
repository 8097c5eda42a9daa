import { createContext, useContext } from 'react'

/** What is inspected: the raw data of a response, or the next call as code. */
export interface Inspected {
  readonly answerId?: string
}

export const InspectContext = createContext<(inspected: Inspected) => void>(() => {})

export const useInspect = () => useContext(InspectContext)

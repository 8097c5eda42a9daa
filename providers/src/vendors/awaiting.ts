import type { Provider } from '../provider'
import { gemini } from './gemini'
import { vertex } from './vertex'

/** Vendors that are served once calls of other dialects can be translated for them. */
export const awaiting: readonly Provider[] = [gemini, vertex]

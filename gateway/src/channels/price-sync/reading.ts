import type { SourceError } from './read-source'

/** The outcome of reading a source. */
export interface Reading {
  readonly failure: SourceError['failure'] | ''
  readonly status: number | null
  readonly models: number
}

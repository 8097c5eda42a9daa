/** What is known of a visit once `index.html` has arrived, but no code. */
export interface Opened<Search> {
  /** The search parameters, unchecked: a page that parses them differently makes its own request. */
  readonly search: Search
  /** Milliseconds. */
  readonly at: number
  /** Page size, as stored in this browser. */
  readonly size: number
  /** Page size of message lists. */
  readonly messageSize: number
  /** Whether the reader sees the log of all users. */
  readonly readsAll: boolean
  /** The default step of the dashboard. */
  readonly usualStep: 'hour' | 'day' | 'week'
}

type QueryValue = string | number | boolean | readonly (string | number)[] | undefined

/** The path of a call and its query, in the order in which the page serializes it. */
export type FirstRead = readonly [path: string, query?: Readonly<Record<string, QueryValue>>]

/** Returns what a page reads first. Bundled into `index.html`, so it must not import anything large. */
export type FirstReads<Search> = (opened: Opened<Search>) => readonly FirstRead[]

/** What is known of a visit once `index.html` has arrived and no code yet. */
export interface Opened<Search> {
  /** What the address holds, unchecked: a page that understands it otherwise asks by itself. */
  readonly search: Search
  /** Milliseconds. */
  readonly at: number
  /** Rows on a page, as this browser remembers. */
  readonly size: number
  /** The same of lists of messages. */
  readonly messageSize: number
  /** Whether the reader sees the log of all users. */
  readonly readsAll: boolean
  /** How the dashboard is divided unless its address says otherwise. */
  readonly usualStep: 'hour' | 'day' | 'week'
}

type QueryValue = string | number | boolean | readonly (string | number)[] | undefined

/** The path of a call and its query, in the order in which the page writes it. */
export type FirstRead = readonly [path: string, query?: Readonly<Record<string, QueryValue>>]

/** Returns what a page reads first. Bundled into `index.html`, so it imports nothing heavy. */
export type FirstReads<Search> = (opened: Opened<Search>) => readonly FirstRead[]

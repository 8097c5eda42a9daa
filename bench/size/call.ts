/** One question to the console API. */
export interface Call {
  readonly name: string
  readonly path: string
  readonly query?: Query
  readonly as?: 'user' | 'auditor'
  /** Only the first part of the answer is waited for; the rest is a file of any length. */
  readonly isFile?: boolean
}

export type Query = Readonly<Record<string, string | number>>

export const day = 86_400

/** Unix seconds. The filler ends at about the present. */
export const spans = (now: number): Record<string, Query> => ({
  hour: { start_timestamp: now - 3600, end_timestamp: now },
  day: { start_timestamp: now - day, end_timestamp: now },
  week: { start_timestamp: now - 7 * day, end_timestamp: now },
  month: { start_timestamp: now - 30 * day, end_timestamp: now },
  all: {},
})

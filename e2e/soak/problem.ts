/** Kinds of violations, in the order of the report. */
export const problemKinds = ['lost', 'doubled', 'amount', 'overspend', 'counters', 'leases', 'other'] as const

export interface Problem {
  readonly kind: (typeof problemKinds)[number]
  readonly what: string
}

/** How far sums are made: those of a column or a pair of them, or the longer ones made of these, by their number. */
export interface Folds {
  /** The hours before it are added up; none are while a worker charges beside that does not know these sums. */
  readonly until: (number: number) => number
}

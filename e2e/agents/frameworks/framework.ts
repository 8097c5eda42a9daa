import type { Package } from '../install'

/** SDKs and frameworks that are tried by a program in `programs`, which prints what works. */
export interface Framework {
  readonly name: string
  readonly package: Package
  readonly program: string
  /** Which of its providers the program takes, each a row of the table. Absent: it has one. */
  readonly variants?: readonly string[]
}

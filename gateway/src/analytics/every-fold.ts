import { dimensionNames } from './dimensions'
import type { Fold } from './fold'
import { columnFold } from './fold-columns'
import { longFold } from './fold-long'
import { packFold } from './fold-packs'
import { pairFold } from './fold-pairs'
import { longSums } from './long-sums'
import { pairs } from './pairs'
import { userPacks } from './user-packs'

/** All ways in which the hourly sums are added up, each behind those that it reads. */
export const everyFold: readonly Fold[] = [
  ...dimensionNames.map(columnFold),
  ...pairs.map(pairFold),
  ...userPacks.map(packFold),
  ...longSums.map(longFold),
]

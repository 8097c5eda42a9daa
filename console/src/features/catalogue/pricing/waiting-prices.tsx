import { Skeleton } from '@mantine/core'

import { SkeletonRows } from '../../../components/data-table/table-state'
import classes from './pricing.module.css'

/** Vendor, billing and ability: those that nearly every site has. */
const lines = [7, 3, 5] as const
const rows = 15

/** The page while the prices load. The list is not drawn before: it would move by the facets that these prices have. */
export const WaitingPrices = () => (
  <div aria-busy="true">
    <div className={classes.facets} aria-hidden>
      {lines.map((choices, line) => (
        <div key={line} className={classes.facet}>
          <span className={classes.facetName}>
            <Skeleton h={12} w={48} display="inline-block" />
          </span>
          <div className={classes.choices}>
            {Array.from({ length: choices }, (_, choice) => (
              <Skeleton key={choice} h={26} w={86} />
            ))}
          </div>
        </div>
      ))}
    </div>
    <div className={classes.frame}>
      <SkeletonRows count={rows} density="normal" />
    </div>
  </div>
)

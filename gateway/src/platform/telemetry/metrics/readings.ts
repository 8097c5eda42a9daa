import { z } from 'zod'

import type { Reading } from './series'

/** The readings of another worker, as JSON from its process. The supervisor never loads this file. */
export const Readings: z.ZodType<readonly Reading[]> = z.array(
  z.object({
    name: z.string(),
    help: z.string(),
    type: z.enum(['counter', 'gauge', 'histogram']),
    merge: z.enum(['sum', 'max', 'min']),
    // JSON has no NaN: one value that cannot be read must not hide the others.
    samples: z.array(z.tuple([z.string(), z.number().catch(Number.NaN)])),
  }),
)

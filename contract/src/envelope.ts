import * as z from 'zod'

import type { ErrorCode } from './errors'
import { SecondFactorAsked } from './second-factor'

/** A gateway of a later release may answer codes that its caller does not know; the message must come through all the same. */
const isErrorCode = (code: string): code is ErrorCode => code !== ''

/** What every console call answers. A business failure is HTTP 200 with `success: false` and a `code`. */
export const Envelope = z.looseObject({
  success: z.boolean(),
  message: z.string(),
  code: z.string().refine(isErrorCode).optional(),
  request_id: z.string().optional(),
  /** Of a failure: the part of the input that was refused, where it is one part. */
  field: z.string().optional(),
  /** Of the failure `login.second_factor`. */
  second_factor: SecondFactorAsked.optional(),
  data: z.unknown().optional(),
})
export type Envelope = z.output<typeof Envelope>

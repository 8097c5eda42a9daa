import * as z from 'zod'

import type { ErrorCode } from './errors'
import { SecondFactorRequest } from '../rights/second-factor'

/** A gateway of a later release may send codes that its caller does not know; the message must get through regardless. */
const isErrorCode = (code: string): code is ErrorCode => code !== ''

/** The response of every console call. A business failure is HTTP 200 with `success: false` and a `code`. */
export const Envelope = z.looseObject({
  success: z.boolean(),
  message: z.string(),
  code: z.string().refine(isErrorCode).optional(),
  request_id: z.string().optional(),
  /** On failure: the refused part of the input, where it is a single part. */
  field: z.string().optional(),
  /** Present with the failure `login.second_factor`. */
  second_factor: SecondFactorRequest.optional(),
  data: z.unknown().optional(),
})
export type Envelope = z.output<typeof Envelope>

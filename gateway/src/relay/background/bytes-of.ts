import { FormFile } from '@tollgate/dialects'

import type { ParsedBody } from '../../channels/calls/parsed-body'

/** Returns about how much memory a body takes. */
export const bytesOf = ({ text, json }: ParsedBody): number =>
  text === ''
    ? Object.values(json)
        .flat()
        .reduce((sum: number, value) => sum + (value instanceof FormFile ? value.bytes.byteLength : 0), 0)
    : text.length

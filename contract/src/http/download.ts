import * as z from 'zod'

import { plainText } from '../pricing/units'

/** Valid once, for a minute, in the session that requested it: the query of the file's address. */
export const DownloadTicket = z.object({ ticket: plainText(64).min(1) })

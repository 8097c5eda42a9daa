import type { Dialect } from '../../core/dialect'
import { chatDialect } from '../../core/dialect-from-codec'
import { aiProxyLibraryCodec } from './codec'

/** `POST /api/library/ask`; only upstreams speak it. */
export const aiProxyLibrary: Dialect = chatDialect(
  'aiproxy-library',
  aiProxyLibraryCodec,
  ({ answer }) => typeof answer === 'string',
)

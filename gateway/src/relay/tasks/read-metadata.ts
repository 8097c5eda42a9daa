import { DialectError, isObject } from '@tollgate/dialects'

const maxPairs = 16
const maxNameLength = 64
const maxTextLength = 512

/**
 * Returns the metadata of an object of OpenAI's; null where it has none.
 * https://platform.openai.com/docs/api-reference/conversations/create#conversations-create-metadata
 * @throws DialectError
 */
export function readMetadata(metadata: unknown): Record<string, string> | null {
  if (metadata === undefined || metadata === null) return null
  const pairs = isObject(metadata) ? Object.entries(metadata) : null
  const isFit = pairs?.every(
    ([name, text]) => name.length <= maxNameLength && typeof text === 'string' && text.length <= maxTextLength,
  )
  if (isFit && pairs && pairs.length <= maxPairs)
    return Object.fromEntries(pairs.map(([name, text]) => [name, String(text)]))
  throw new DialectError(
    'metadata',
    'invalid_value',
    `Invalid 'metadata': expected at most ${maxPairs} texts of ${maxTextLength} characters, with names of ${maxNameLength}.`,
  )
}

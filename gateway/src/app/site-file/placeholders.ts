import { secretMask } from '../../channels/catalog/channel-secrets'
import { isSecretPlace, type Path } from './secret-places'

/** `$${` is the text `${`. */
const placeholder = /\$\$\{|\$\{([A-Za-z_]\w*)\}/g

/** Returns a text in which no placeholder is read. */
export const escapePlaceholders = (text: string): string => text.replaceAll('${', () => '$${')

/** In place of a secret whose variable is not set: the one that is stored stays. No text of a file contains this character. */
const storedMark = '\0stored:'

export const storedSecret = (text: string): string | null =>
  text.startsWith(storedMark) ? text.slice(storedMark.length) : null

export const unsetSentence = (variable: string): string => `the variable ${variable} is not set`

/** A variable that a place needs, which is not set. */
export interface Missing {
  readonly path: Path
  readonly name: string
}

/** Who is told while placeholders are replaced. */
interface FillListener {
  /** Called with the value of each variable in a place where not everything is a secret. */
  use(value: string): void
  report(missing: Missing): void
}

/**
 * Replaces the placeholders in all texts of a value. Of a secret whose variable is not set the stored one stays, where there is one; other
 * variables that are not set are reported.
 */
export function fillPlaceholders(
  value: unknown,
  environment: Readonly<Record<string, string | undefined>>,
  listener: FillListener,
  path: Path = [],
): unknown {
  if (typeof value === 'string') return fillText(value)
  if (Array.isArray(value))
    return value.map((item, index) => fillPlaceholders(item, environment, listener, [...path, index]))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, fillPlaceholders(item, environment, listener, [...path, name])]),
  )

  function fillText(text: string): string {
    const place = isSecretPlace(path)
    // Pipelines set variables that they do not have to nothing.
    const variable = (name: string) => environment[name] || undefined
    const [whole] = text.matchAll(/^\$\{([A-Za-z_]\w*)\}$/g)
    const only = whole?.[1]
    if (place === 'whole' && only !== undefined && variable(only) === undefined) return storedMark + only
    return text.replaceAll(placeholder, (found: string, name: string | undefined) => {
      if (name === undefined) return '${'
      const set = variable(name)
      if (set !== undefined) {
        if (place !== 'whole') listener.use(set)
        return set
      }
      listener.report({ path, name })
      return place === 'part' ? secretMask : found
    })
  }
}

/** A member's name, or an index of a list. */
export type PathStep = string | number

/** Deeper than the arguments of any call. */
const mostSteps = 128

/** Matches `.name` up to the next step, `['name']`, `["name"]` or `[0]`. */
const step = /\.([^.[\]]+)|\[\s*(?:(\d+)|'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")\s*\]/suy

/**
 * Returns the steps of a path to a single value (RFC 9535, 2.3.1 and 2.3.3), such as `$.items[0]['a b']`. Names after a dot may
 * hold more than the standard allows. Null for any other path.
 */
export function readJsonPath(path: string): PathStep[] | null {
  if (!path.startsWith('$')) return null
  const steps: PathStep[] = []
  let at = 1
  while (at < path.length) {
    step.lastIndex = at
    const match = step.exec(path)
    if (match === null || steps.length === mostSteps) return null
    const [whole, name, index, single, double] = match
    const quoted = single ?? double
    if (index !== undefined) steps.push(Number(index))
    else if (name !== undefined) steps.push(name)
    else if (quoted !== undefined) steps.push(unescaped(quoted))
    at += whole.length
  }
  return steps
}

const escapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

const unescaped = (text: string): string =>
  text.replace(/\\(?:u([0-9a-fA-F]{4})|(.))/gsu, (_, code: string | undefined, letter: string | undefined) =>
    code === undefined ? (escapes[letter ?? ''] ?? letter ?? '') : String.fromCharCode(Number.parseInt(code, 16)),
  )

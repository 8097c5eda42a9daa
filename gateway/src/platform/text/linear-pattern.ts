import type * as Library from 're2js'

/**
 * Returns an operator's pattern that runs in linear time whatever the text. The compiler is loaded with the first one: most gateways have
 * none, and it would stay in memory.
 * @throws Error when it does not compile.
 */
export function linearPattern(pattern: string, options: { readonly ignoresCase?: boolean } = {}): Library.RE2JS {
  const { RE2JS }: typeof Library = require('re2js')
  return RE2JS.compile(pattern, options.ignoresCase ? RE2JS.CASE_INSENSITIVE : 0)
}

import hljs from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import css from 'highlight.js/lib/languages/css'
import go from 'highlight.js/lib/languages/go'
import java from 'highlight.js/lib/languages/java'
import json from 'highlight.js/lib/languages/json'
import python from 'highlight.js/lib/languages/python'
import rust from 'highlight.js/lib/languages/rust'
import sql from 'highlight.js/lib/languages/sql'
import typescript from 'highlight.js/lib/languages/typescript'
import xml from 'highlight.js/lib/languages/xml'
import { useMemo } from 'react'

const known = { bash, css, go, java, json, python, rust, sql, typescript, xml }
for (const [name, language] of Object.entries(known)) hljs.registerLanguage(name, language)

/** Above this length, highlighting is slower than it is useful. */
const maxHighlightedLength = 50_000

/** highlight.js escapes the code. */
export function HighlightedCode({ code, language }: { readonly code: string; readonly language?: string }) {
  const html = useMemo(
    () =>
      language && code.length <= maxHighlightedLength && hljs.getLanguage(language)
        ? hljs.highlight(code, { language, ignoreIllegals: true }).value
        : undefined,
    [code, language],
  )
  return html === undefined ? code : <span dangerouslySetInnerHTML={{ __html: html }} />
}

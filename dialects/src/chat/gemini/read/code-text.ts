import type { JsonObject } from '../../../core/json'
import { textOf } from '../../../core/neutral/read'
import { memberObject } from '../../../core/shared/google-members'

/** A program that the model ran at the vendor's, or what it printed, as text that everybody can read; empty for other parts. */
export function codeText(part: JsonObject): string {
  const program = memberObject(part, 'executableCode')
  const code = textOf(program['code'])
  if (code !== '') return fenceCode(textOf(program['language']).toLowerCase(), code)
  const output = textOf(memberObject(part, 'codeExecutionResult')['output'])
  return output === '' ? '' : fenceCode('output', output)
}

const fenceCode = (language: string, text: string): string =>
  `\n\`\`\`${language.replace('language_unspecified', '')}\n${text.replace(/\n$/, '')}\n\`\`\`\n`

import { examine } from '../../operations/examine'
import { lineOf } from '../../operations/finding'
import type { Language } from '../../http/language'
import { UsageError, type Command } from './command'

const asJson = '--json'
const languages: Readonly<Record<string, Language>> = { '--language=en': 'en', '--language=zh': 'zh' }

/** Checks what a gateway depends on, and says what to do where something is wrong. */
export const doctor: Command = {
  name: 'doctor',
  parameters: '[--json] [--language=en|zh]',
  summary: 'Check the configuration and everything the gateway depends on.',
  details: [
    'Prints a line for each check: ok, warn or FAIL, and what to do. The gateway may run. Nothing is repaired.',
    'With --json: the same and the certificates of its servers, for programs.',
    'With --language=zh: in Chinese.',
    'Exit code 0: it can run. 1: something fails.',
  ],
  async run(parameters, { environment, print }) {
    const unknown = parameters.find((word) => word !== asJson && !Object.hasOwn(languages, word))
    if (unknown !== undefined) throw new UsageError(`doctor does not take ${unknown}.`)
    const [language = 'en'] = parameters.flatMap((word) => languages[word] ?? [])
    const examination = await examine(environment, language)
    if (parameters.includes(asJson)) print(JSON.stringify(examination))
    else for (const finding of examination.findings) print(lineOf(finding))
    return examination.findings.some(({ level }) => level === 'FAIL') ? 1 : 0
  },
}

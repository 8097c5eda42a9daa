import { expect, test } from 'bun:test'
import { optionOf } from '@tollgate/contract'

import en from '../../locales/en/options.json'
import zh from '../../locales/zh/options.json'
import { keysOf, settingsPages } from './settings-pages'

type Texts = Readonly<
  Record<string, { readonly label: string; readonly help: string; readonly choice?: Readonly<Record<string, string>> }>
>

const shown = settingsPages.flatMap(({ sections }) => sections.flatMap(keysOf))

for (const [language, texts] of [
  ['en', en],
  ['zh', zh],
] as const satisfies readonly (readonly [string, Texts])[]) {
  const known: Texts = texts
  test.each(shown)(`%s has a label, a help text and a name for each choice (${language})`, (key) => {
    const text = known[key]
    expect(text?.label).toBeTruthy()
    expect(text?.help).toBeTruthy()
    for (const choice of optionOf(key).choices ?? []) expect(text?.choice?.[choice]).toBeTruthy()
  })

  test(`every text belongs to an option that is shown (${language})`, () => {
    expect(Object.keys(texts).filter((key) => !shown.some((one) => one === key))).toEqual([])
  })
}
